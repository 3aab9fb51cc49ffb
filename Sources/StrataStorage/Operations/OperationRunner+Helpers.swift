import GRDB
import StrataSchema

extension OperationRunner {
  /// Removes the full-text index of a column, with its triggers.
  func dropTextIndex(_ table: String, _ column: String) throws {
    let index = TextTable(className: table, column: column, identity: "")
    for trigger in index.triggers {
      try db.execute(sql: "DROP TRIGGER IF EXISTS \(SQLName.quote(trigger.name))")
    }
    try db.execute(sql: "DROP TABLE IF EXISTS \(SQLName.quote(index.name))")
  }

  /// Removes the helper indexes of a column that is removed or renamed.
  func dropHelperIndexes(_ table: String, _ column: String) throws {
    let names = [
      IndexSQL.linkName(table: table, column: column), IndexSQL.name(table: table, column: column),
    ]
    for name in names {
      let columns = try String.fetchAll(
        db,
        sql: """
          SELECT i.name FROM sqlite_schema AS m JOIN pragma_index_info(m.name) AS i
          WHERE m.type = 'index' AND m.name = ? AND m.sql LIKE 'CREATE INDEX %'
          """, arguments: [name])
      guard columns.map(SQLName.folded) == [SQLName.folded(column)] else { continue }
      try db.execute(sql: "DROP INDEX \(SQLName.quote(name))")
    }
  }
}
