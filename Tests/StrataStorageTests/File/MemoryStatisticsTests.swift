import GRDB
import GRDBSQLite
import StrataStorage
import TestKit
import Testing

/// SQLite's count of its memory, which the program decides on.
@Suite struct MemoryStatisticsTests {
  @Test func `A program may turn the count off before it uses SQLite`() async {
    await #expect(processExitsWith: .success) {
      try SQLiteLibrary.configure(countsMemory: false)
      let queue = try DatabaseQueue()
      let one = try queue.read { try Int.fetchOne($0, sql: "SELECT 1") }
      precondition(one == 1)
      precondition(sqlite3_memory_used() == 0)
    }
  }

  @Test func `A library that is linked leaves the count as it was`() async {
    await #expect(processExitsWith: .success) {
      let queue = try DatabaseQueue()
      let one = try queue.read { try Int.fetchOne($0, sql: "SELECT 1") }
      precondition(one == 1)
      precondition(sqlite3_memory_used() > 0)
    }
  }

  @Test func `SQLite that is in use refuses it`() throws {
    let queue = try DatabaseQueue()
    try expectEqual(queue.read { try Int.fetchOne($0, sql: "SELECT 1") }, 1)
    let error = #expect(throws: RealmError.self) {
      try SQLiteLibrary.configure(countsMemory: false)
    }
    expectEqual(
      error?.message,
      "SQLite's count of memory can't be turned off: SQLite is in use already (SQLite error 21). "
        + "Call 'SQLiteLibrary.configure' before anything opens a file.")
  }
}
