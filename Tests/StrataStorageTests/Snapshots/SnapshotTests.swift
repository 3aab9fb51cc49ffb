import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import StrataStorage

@Suite struct SnapshotTests {
  private func withReaders(_ body: (Readers) throws -> Void) throws {
    let folder = try TestFolder()
    try folder.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    let readers = Readers(folder.file, nil, for: .inspection)
    try body(readers)
    readers.close()
  }

  private func rows(_ snapshot: Snapshot) throws -> Int? {
    try snapshot.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
  }

  @Test func `A snapshot that can't begin gives its connection back once`() throws {
    try withReaders { readers in
      let connection = try readers.borrow()
      try connection.run(StatementText("BEGIN"))
      readers.giveBack(connection)
      // There is a transaction already.
      #expect(throws: DatabaseError.self) { try Snapshot(number: 1, readers, WALLength()) }
      let first = try readers.borrow()
      let second = try readers.borrow()
      expectTrue(first !== second)
      expectTrue(!first.isInTransaction && !second.isInTransaction)
      readers.giveBack(first)
      readers.giveBack(second)
    }
  }

  @Test func `Snapshots keep their states, and their connections serve again`() throws {
    let folder = try TestFolder()
    try folder.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    let readers = Readers(folder.file, nil, for: .inspection)
    defer { readers.close() }
    for round in 0..<3 {
      var snapshots: [Snapshot] = []
      for number in 0..<4 {
        snapshots.append(try Snapshot(number: UInt64(number), readers, WALLength()))
        try folder.execute("INSERT INTO t VALUES (\(number))")
      }
      for (number, snapshot) in snapshots.enumerated() {
        try expectEqual(rows(snapshot), round * 4 + number)
      }
    }
  }
}
