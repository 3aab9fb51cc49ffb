import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// A state that is read before a transaction begins, and must be what the transaction sees.
@Suite("The state of a file, seen before")
struct FileStateNowTests {
  // Closed before the folder is removed.
  let queue: DatabaseQueue
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.open([V0.Person.self]) { _ in }
    queue = try Connections.openWriter(folder.file, nil, busyTimeout: BusyTimeout())
  }

  private func look(_ queue: DatabaseQueue) throws -> FileState {
    try queue.writeWithoutTransaction { try FileState.read($0, at: folder.file) }
  }

  /// The state that a transaction sees which begins now, and how many statements it took.
  private func now(_ state: FileState) throws -> (state: FileState, statements: Int) {
    try queue.writeWithoutTransaction { db in
      var count = 0
      var result: FileState?
      try db.inTransaction(.immediate) {
        db.trace { _ in count += 1 }
        result = try state.now(db, at: folder.file)
        db.trace()
        return .rollback
      }
      return (try #require(result), count)
    }
  }

  private func expectReading(_ state: FileState, _ version: UInt64 = 0) throws {
    let (found, statements) = try now(state)
    expectTrue(statements >= 2)
    expectEqual(found.version, version)
  }

  @Test func `It isn't read again where nothing was written`() throws {
    let state = try look(queue)
    let (found, statements) = try now(state)
    expectEqual(statements, 0)
    expectTrue(found.version == 0 && found.schema == state.schema)
    // Nor does a transaction that is rolled back count.
    try expectEqual(now(state).statements, 0)
  }

  @Test(arguments: [
    "INSERT INTO Person (name, age) VALUES ('a', 1)", "CREATE TABLE Other (a)",
    "UPDATE strata_schema_version SET schema = schema || ' '",
  ])
  func `It is read again when another connection has committed`(sql: String) throws {
    let state = try look(queue)
    try folder.execute(sql)
    try expectReading(state)
  }

  @Test func `It is read again when the connection itself has committed`() throws {
    let state = try look(queue)
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "UPDATE strata_schema_version SET version = 7")
    }
    try expectReading(state, 7)
  }

  @Test func `It is read again on another connection`() throws {
    let other = try Connections.openWriter(folder.file, nil, busyTimeout: BusyTimeout())
    let state = try look(other)
    try expectReading(state)
    try other.close()
    try expectReading(state)
  }

  @Test func `It is read again after a checkpoint and another commit`() throws {
    let state = try look(queue)
    try folder.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try expectEqual(now(state).state.version, 0)
    try folder.execute(
      "UPDATE strata_schema_version SET version = 3; PRAGMA wal_checkpoint(TRUNCATE)")
    try expectReading(state, 3)
  }

  @Test func `A state that others had is not taken for one of this connection`() throws {
    // The contents of a catalog are cached, but not the time of reading it.
    _ = try look(queue)
    let reader = Readers(folder.file, nil, for: .inspection)
    let state = try reader.read { try FileState.read($0, at: folder.file) }
    try expectReading(state)
    reader.close()
  }
}
