import Foundation
import GRDB
import TestKit
import Testing

@testable import StrataCommand

/// Files of which twins are refused, and files that other programs have changed.
@Suite struct TwinErrorsTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.copyFixture("PetOwners-v5", to: "people.sqlite")
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(arguments, in: folder)
  }

  private func execute(_ sql: String) throws {
    try folder.execute(sql, in: "people.sqlite", foreignKeys: false)
  }

  private func rows(_ sql: String) throws -> [Row] {
    try folder.sql("twin.sqlite") { try Row.fetchAll($0, sql: sql) }
  }

  @Test func `Further statements in the text of a table are not executed`() throws {
    try execute(
      """
      CREATE TABLE other (a);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE other(a); CREATE TABLE injected(b)'
      WHERE name = 'other'
      """)
    let outcome = try run("twin", "people.sqlite", "twin.sqlite")
    if outcome.status == 0 {
      try expectEqual(rows("SELECT 1 FROM sqlite_schema WHERE name = 'injected'"), [])
    } else {
      expectFalse(outcome.errors.isEmpty)
      expectFalse(FileManager.default.fileExists(atPath: folder.url("twin.sqlite").path))
    }
  }

  @Test func `Files that can't have a twin, and places that can't take one, are errors`() throws {
    try folder.copyRealmFile("all-types", to: "default.realm")
    try Data("no database".utf8).write(to: folder.url("text.sqlite"))
    try Data("mine".utf8).write(to: folder.url("there.sqlite"))
    try folder.execute("CREATE TABLE a (b)", in: "other.sqlite")
    let before = try folder.contents()
    for (arguments, status, part) in [
      (["none.sqlite", "twin.sqlite"], 66, "'none.sqlite': There is no such file."),
      (["default.realm", "twin.sqlite"], 65, "Make one of it with 'strata convert'."),
      (["text.sqlite", "twin.sqlite"], 65, "'text.sqlite': This is not a file of Strata"),
      (["other.sqlite", "twin.sqlite"], 65, "is not a file of Strata"),
      (["people.sqlite", "there.sqlite"], 73, "'there.sqlite': There is a file already."),
      (["people.sqlite", "people.sqlite"], 73, "There is a file already."),
      (["people.sqlite", "none/twin.sqlite"], 73, "There is no folder for the file."),
      (["people.sqlite", "twin.sqlite", "--key-file", "there.sqlite"], 65, "holds no key"),
    ] {
      let outcome = try Tool.run(["twin"] + arguments, in: folder)
      expectEqual(outcome.status, Int32(status), "\(outcome)")
      expectTrue(outcome.errors.contains(part), "\(outcome)")
      expectEqual(outcome.output, "")
    }
    try expectEqual(folder.contents(), before)
  }

  @Test func `A folder that may not be written is an error`() throws {
    chmod(folder.url.path, 0o555)
    defer { chmod(folder.url.path, 0o755) }
    let outcome = try Tool.run(
      ["twin", "people.sqlite", "twin.sqlite"], in: folder, asOther: true)
    expectEqual(outcome.status, CommandStatus.noPermission.rawValue, "\(outcome)")
    try expectEqual(folder.names, ["people.sqlite"])
  }

  @Test func `A damaged file has no twin`() throws {
    var bytes = try Data(contentsOf: folder.url("people.sqlite"))
    for index in 8192..<bytes.count { bytes[index] = 0xFF }
    try bytes.write(to: folder.url("people.sqlite"))
    try expectEqual(
      run("twin", "people.sqlite", "twin.sqlite").status, CommandStatus.data.rawValue)
    try expectEqual(folder.names, ["people.sqlite"])
  }

  @Test func `Values that no program of the library writes have a twin`() throws {
    try execute(
      """
      UPDATE Person SET fullName = CAST(X'FF61626300C364' AS TEXT), age = -9223372036854775808
      WHERE _id = 1;
      UPDATE Person SET fullName = CAST(X'00' AS TEXT), age = 9223372036854775807 WHERE _id = 2;
      UPDATE Person SET fullName = '', address = 99 WHERE _id = 3;
      """)
    let outcome = try run("twin", "people.sqlite", "twin.sqlite", "--seed", "1")
    expectEqual(outcome.status, 0, "\(outcome)")
    let rows = try rows("SELECT hex(fullName), age, address FROM Person ORDER BY _id")
    expectEqual(rows.map { ($0[0] as String).count }, [14, 2, 0])
    expectTrue((rows[0][0] as String).hasPrefix("FF"))
    expectFalse((rows[0][0] as String).contains("616263"))
    expectEqual(rows.map { $0[1] }, [.min, .max, 8])
    expectEqual(rows[2][2], 99)
  }

  @Test func `What is in unused room and in the WAL isn't in a twin`() throws {
    try execute(
      """
      UPDATE Person SET fullName = 'a deleted name of somebody' WHERE _id = 1;
      UPDATE Person SET fullName = 'x' WHERE _id = 1
      """)
    let outcome = try folder.withOpen(
      "people.sqlite",
      after: "INSERT INTO Person (fullName, age) VALUES ('a name in the WAL', 1234)"
    ) { try run("twin", "people.sqlite", "twin.sqlite") }
    expectEqual(outcome.status, 0, "\(outcome)")
    let bytes = try Data(contentsOf: folder.url("twin.sqlite"))
    for text in ["a deleted name", "somebody", "a name in the WAL", "Tomas Lind", "Quay Street"] {
      expectNil(bytes.range(of: Data(text.utf8)), "\(text)")
    }
    let ages = try rows("SELECT age FROM Person ORDER BY _id").map { $0[0] as Int }
    expectEqual(ages.count, 4)
    expectTrue((1000...1999).contains(ages[3]) && ages[3] != 1234)
    try expectEqual(folder.names, ["people.sqlite", "twin.sqlite"])
  }

  @Test func `Tables and statistics of other programs lose their contents`() throws {
    try execute(
      """
      CREATE VIRTUAL TABLE notes USING fts5(body);
      INSERT INTO notes VALUES ('a private note');
      CREATE TABLE lines (a TEXT PRIMARY KEY, b INTEGER REFERENCES Person) WITHOUT ROWID;
      INSERT INTO lines VALUES ('a private line', 1);
      CREATE TABLE "with a 'quote" (x);
      INSERT INTO "with a 'quote" VALUES ('another private line')
      """)
    let outcome = try run("twin", "people.sqlite", "twin.sqlite")
    expectEqual(outcome.status, 0, "\(outcome)")
    expectTrue(
      outcome.output.hasSuffix(
        """
        tables of other programs, now empty: lines, with a 'quote
        left out: table 'notes'

        """), "\(outcome.output)")
    let bytes = try Data(contentsOf: folder.url("twin.sqlite"))
    expectNil(bytes.range(of: Data("private".utf8)))
    try expectEqual(rows("SELECT * FROM lines"), [])
    try expectEqual(rows("PRAGMA integrity_check").map { $0[0] }, ["ok"])
  }

  @Test func `A file in UTF-16, with another page size, has a twin of that form`() throws {
    let names = ["Address", "Person", "Pet", "Person_pets", "strata_schema_version"]
    let tables = try folder.sql("people.sqlite") { db in
      try names.map { name in
        let sql = try String.fetchOne(
          db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [name])
        return (sql ?? "", try Row.fetchAll(db, sql: "SELECT * FROM \(name)"))
      }
    }
    try folder.sql("wide.sqlite") { db in
      try db.execute(
        sql: """
          PRAGMA encoding = 'UTF-16le'; PRAGMA page_size = 8192; PRAGMA auto_vacuum = FULL;
          PRAGMA user_version = 42
          """)
      for (sql, _) in tables { try db.execute(sql: sql) }
      for (name, (_, rows)) in zip(names, tables) {
        for row in rows {
          let marks = row.columnNames.map { _ in "?" }.joined(separator: ", ")
          try db.execute(
            sql: "INSERT INTO \(name) VALUES (\(marks))",
            arguments: StatementArguments(Array(row.databaseValues)))
        }
      }
    }
    let outcome = try run("twin", "wide.sqlite", "twin.sqlite")
    expectEqual(outcome.status, 0, "\(outcome)")
    try expectEqual(rows("PRAGMA encoding").map { $0[0] }, ["UTF-16le"])
    try expectEqual(rows("PRAGMA page_size").map { $0[0] }, [8192])
    try expectEqual(rows("PRAGMA user_version").map { $0[0] }, [42])
    try expectEqual(rows("PRAGMA auto_vacuum").map { $0[0] }, [1])
    try expectEqual(
      rows("SELECT length(fullName) FROM Person ORDER BY _id").map { $0[0] }, [11, 10, 11])
  }
}
