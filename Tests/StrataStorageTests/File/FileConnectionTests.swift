import Foundation
import GRDB
import StrataTestKit
import Testing

@testable import StrataStorage

/// Statements that a connection finds by the numbers of their texts.
@Suite struct FileConnectionTests {
  private func withConnection(_ body: (FileConnection) throws -> Void) throws {
    let folder = try TestFolder()
    let queue = try DatabaseQueue(path: folder.file.path)
    try queue.write {
      try $0.execute(sql: "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2), (3, 4)")
    }
    try body(FileConnection(queue))
    // Fails while a statement is left.
    try queue.close()
  }

  private func integers(_ text: StatementText, _ connection: FileConnection) throws -> [Int64] {
    try connection.borrowed(text) { statement in
      var found: [Int64] = []
      while try statement.stepRaw() { found.append(statement.int64(0)) }
      return found
    }
  }

  private func handle(
    _ text: StatementText, _ connection: FileConnection
  ) throws -> OpaquePointer {
    try connection.borrowed(text) { $0.sqliteStatement }
  }

  @Test func `A text has one statement on a connection`() throws {
    try withConnection { connection in
      let (first, second) = (StatementText("SELECT a FROM t"), StatementText("SELECT b FROM t"))
      for _ in 0..<3 {
        #expect(try integers(first, connection) == [1, 3])
        #expect(try integers(second, connection) == [2, 4])
      }
      let known = try handle(first, connection)
      #expect(try handle(first, connection) == known)
      #expect(try handle(second, connection) != known)
      let inTurn = try connection.queue.read { db in
        try connection.inTurn(first, db) { $0.sqliteStatement }
      }
      #expect(inTurn == known)
    }
  }

  @Test func `More texts than places give way to each other`() throws {
    try withConnection { connection in
      let texts = (0..<700).map { StatementText("SELECT \($0) FROM t") }
      for _ in 0..<2 {
        for (number, text) in texts.enumerated() {
          #expect(try integers(text, connection) == [Int64(number), Int64(number)])
        }
      }
    }
  }

  @Test func `Texts that aren't kept are found by what they say`() throws {
    try withConnection { connection in
      let texts = (0..<2).map { _ in StatementText("SELECT a + b FROM t", isKept: false) }
      #expect(texts.allSatisfy { $0.number == nil })
      #expect(try integers(texts[0], connection) == [3, 7])
      #expect(try handle(texts[0], connection) == handle(texts[1], connection))
    }
  }

  @Test func `A statement follows changes of the schema`() throws {
    try withConnection { connection in
      let text = StatementText("SELECT b FROM t")
      #expect(try integers(text, connection) == [2, 4])
      try connection.queue.write { db in
        try db.execute(
          sql: "ALTER TABLE t RENAME TO old; CREATE TABLE t (x, b); INSERT INTO t VALUES (1, 9)")
      }
      #expect(try integers(text, connection) == [9])
      try connection.queue.write { try $0.execute(sql: "DROP TABLE t") }
      let error = #expect(throws: DatabaseError.self) { try integers(text, connection) }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message == "no such table: t")
      try connection.queue.write { try $0.execute(sql: "ALTER TABLE old RENAME TO t") }
      #expect(try integers(text, connection) == [2, 4])
    }
  }

  @Test func `A wrong text is SQLite's error, each time`() throws {
    try withConnection { connection in
      let text = StatementText("SELECT c FROM t")
      for _ in 0..<2 {
        let error = #expect(throws: DatabaseError.self) { try integers(text, connection) }
        #expect(error?.message == "no such column: c")
        #expect(error?.sql == "SELECT c FROM t")
      }
    }
  }
}
