import Foundation
import GRDB
import GRDBSQLite
import TestKit
import Testing

/// What SQLite counts of its memory: each allocation would wait for a lock of the whole process.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["STRATA_SQLITE_MEMORY_STATISTICS"] == nil))
struct MemoryStatisticsTests {
  @Test func `SQLite counts no memory`() throws {
    // Without a connection there could be nothing to count.
    let queue = try DatabaseQueue()
    try expectEqual(queue.read { try Int.fetchOne($0, sql: "SELECT 1") }, 1)
    expectEqual(sqlite3_memory_used(), 0)
  }
}
