import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import StrataStorage

/// Cached statements, which a connection finds by numbers instead of texts.
@Suite struct FileConnectionTests {
  private func withConnection(_ body: (FileConnection) throws -> Void) throws {
    let folder = try TestFolder()
    let queue = try DatabaseQueue.otherProgram(at: folder.file)
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

  private func expect(
    _ text: StatementText, finds expected: [Int64], on connection: FileConnection,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try integers(text, connection)
    expectEqual(found, expected, sourceLocation: sourceLocation)
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
        try expect(first, finds: [1, 3], on: connection)
        try expect(second, finds: [2, 4], on: connection)
      }
      let known = try handle(first, connection)
      let again = try handle(first, connection)
      let other = try handle(second, connection)
      expectTrue(again == known && other != known)
      let inTurn = try connection.queue.read { db in
        try connection.inTurn(first, db) { $0.sqliteStatement }
      }
      expectEqual(inTurn, known)
    }
  }

  @Test func `More texts than places give way to each other`() throws {
    try withConnection { connection in
      let texts = (0..<700).map { StatementText("SELECT \($0) FROM t") }
      for _ in 0..<2 {
        for (number, text) in texts.enumerated() {
          try expect(text, finds: [Int64(number), Int64(number)], on: connection)
        }
      }
    }
  }

  @Test func `Texts that aren't kept are found by what they say`() throws {
    try withConnection { connection in
      let texts = (0..<2).map { _ in StatementText("SELECT a + b FROM t", isKept: false) }
      expectTrue(texts.allSatisfy { $0.number == nil })
      try expect(texts[0], finds: [3, 7], on: connection)
      let handles = try texts.map { try handle($0, connection) }
      expectEqual(handles[0], handles[1])
    }
  }

  @Test func `A statement follows changes of the schema`() throws {
    try withConnection { connection in
      let text = StatementText("SELECT b FROM t")
      try expect(text, finds: [2, 4], on: connection)
      try connection.queue.write { db in
        try db.execute(
          sql: "ALTER TABLE t RENAME TO old; CREATE TABLE t (x, b); INSERT INTO t VALUES (1, 9)")
      }
      try expect(text, finds: [9], on: connection)
      try connection.queue.write { try $0.execute(sql: "DROP TABLE t") }
      let error = #expect(throws: DatabaseError.self) { try integers(text, connection) }
      expectEqual(error?.resultCode, .SQLITE_ERROR)
      expectEqual(error?.message, "no such table: t")
      try connection.queue.write { try $0.execute(sql: "ALTER TABLE old RENAME TO t") }
      try expect(text, finds: [2, 4], on: connection)
    }
  }

  @Test func `A wrong text is SQLite's error, each time`() throws {
    try withConnection { connection in
      let text = StatementText("SELECT c FROM t")
      for _ in 0..<2 {
        let error = #expect(throws: DatabaseError.self) { try integers(text, connection) }
        expectEqual(error?.message, "no such column: c")
        expectEqual(error?.sql, "SELECT c FROM t")
      }
    }
  }
}
