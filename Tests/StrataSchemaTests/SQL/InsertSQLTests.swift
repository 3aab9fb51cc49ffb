import StrataSchema
import TestKit
import Testing

@Suite("Inserting")
struct InsertSQLTests {
  @Test func `Each row has a parameter for each column`() {
    expectEqual(InsertSQL.parameters(columns: 1, rows: 1), "(?)")
    expectEqual(InsertSQL.parameters(columns: 3, rows: 2), "(?, ?, ?), (?, ?, ?)")
  }

  @Test(arguments: [(1, 32), (31, 32), (32, 31), (500, 2), (501, 1), (2_000, 1)])
  func `A statement has as many rows as parameters allow`(columns: Int, rows: Int) {
    expectEqual(InsertSQL.rowsAtOnce(columns: columns, atMost: 32), rows)
  }

  @Test func `Names in the query for the last identity are quoted`() {
    let sql = InsertSQL.lastIdentity(of: "it's \"it\"", identity: "_id")
    expectTrue(sql.contains("WHERE name = 'it''s \"it\"')"))
    expectTrue(sql.contains("SELECT max(\"_id\") FROM \"it's \"\"it\"\"\")"))
  }
}
