import CustomDump
import TestKit
import Testing

@testable import StrataSchema

@Suite("The rebuild of a table")
struct RebuildTableSQLTests {
  @Test func `A rebuild is SQLite's steps 4 to 7, with the greatest identity carried over`() {
    let target = model(
      "a\"b", property("kept", .string), property("filled"), property("new", .date),
      link("self", to: "a\"b"))
    let rebuild = TableRebuild(
      table: "a\"b",
      target: target,
      columns: [
        .init(property: property("kept", .string), source: .column("kept")),
        .init(property: property("filled"), source: .columnOrDefault("filled", .integer(7))),
        .init(property: property("new", .string), source: .value(.text("it's"))),
        .init(property: link("self", to: "a\"b"), source: .column("self")),
      ])
    expectNoDifference(
      [
        RebuildTableSQL.create(rebuild, extraColumns: []),
        RebuildTableSQL.copy(rebuild, extraColumns: []),
      ] + RebuildTableSQL.finish(rebuild),
      [
        """
        CREATE TABLE "strata_rebuild_a""b" (
          "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
          "kept" TEXT NOT NULL,
          "filled" INTEGER NOT NULL,
          "new" TEXT NOT NULL,
          "self" INTEGER REFERENCES "a""b" ON DELETE SET NULL
        ) STRICT
        """,
        """
        INSERT INTO "strata_rebuild_a""b" ("_id", "kept", "filled", "new", "self")
        SELECT "a""b"."_id", "a""b"."kept", COALESCE("a""b"."filled", 7), 'it''s', "a""b"."self"
        FROM "a""b" ORDER BY "a""b"."_id"
        """,
        #"DELETE FROM sqlite_sequence WHERE name = 'strata_rebuild_a"b'"#,
        """
        INSERT INTO sqlite_sequence (name, seq)
        SELECT 'strata_rebuild_a"b', seq FROM sqlite_sequence WHERE name = 'a"b'
        """,
        #"DROP TABLE "a""b""#,
        #"ALTER TABLE "strata_rebuild_a""b" RENAME TO "a""b""#,
      ])
  }

  @Test
  func `A rebuild copies both columns of AnyRealmValue, and the identity from its old name`() {
    let rebuild = TableRebuild(
      table: "T",
      target: model("T", property("x", .any), property("y", .any), property("_id", .string)),
      columns: [
        .init(property: property("x", .any), source: .column("x")),
        .init(property: property("y", .any), source: .value(.null)),
        .init(property: property("_id", .string), source: .value(.text(""))),
      ],
      sourceIdentityColumn: "_id")
    expectEqual(
      RebuildTableSQL.copy(rebuild, extraColumns: []),
      """
      INSERT INTO "strata_rebuild_T" ("_row_id", "x", "x_type", "y", "y_type", "_id")
      SELECT "T"."_id", "T"."x", "T"."x_type", NULL, NULL, ''
      FROM "T" ORDER BY "T"."_id"
      """)
  }

  @Test func `A rebuild keeps the columns of other tools`() {
    let rebuild = TableRebuild(
      table: "T",
      target: model("T", property("p")),
      columns: [.init(property: property("p"), source: .column("p"))])
    let extra = [ExtraColumn(name: "note", definition: #""note" TEXT"#)]
    expectNoDifference(
      [
        RebuildTableSQL.create(rebuild, extraColumns: extra),
        RebuildTableSQL.copy(rebuild, extraColumns: extra),
      ],
      [
        """
        CREATE TABLE "strata_rebuild_T" (
          "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
          "p" INTEGER NOT NULL,
          "note" TEXT
        ) STRICT
        """,
        """
        INSERT INTO "strata_rebuild_T" ("_id", "p", "note")
        SELECT "T"."_id", "T"."p", "T"."note"
        FROM "T" ORDER BY "T"."_id"
        """,
      ])
  }

  @Test func `A rebuild uses a name that no class may have`() {
    let name = RebuildTableSQL.temporaryName(of: "Person")
    expectEqual(name, "strata_rebuild_Person")
    expectEqual(problems(model(name, property("p"))), ["Type name '\(name)' is reserved."])
  }
}
