import Foundation
import GRDB
import Strata
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import StrataStorage

@Suite(.needsHook) struct HistoryPruningTests {
  /// A file with transactions that are 0, 1, 2, … days old, the newest last.
  private func file(_ count: Int) throws -> TestFolder {
    let folder = try TestFolder()
    do {
      let realm = try Realm(configuration: folder.ledger())
      for number in 1..<count { try realm.write { realm.add(LedgerNote("\(number)")) } }
    }
    try folder.execute(
      "UPDATE strata_history SET at = strftime('%Y-%m-%d %H:%M:%f', 'now', (position - \(count)) || ' days')"
    )
    return folder
  }

  private func left(
    _ folder: TestFolder, _ age: Double = .infinity, _ count: Int = 1_000_000,
    _ consumerAge: Double = 86_400
  ) throws -> [Int64] {
    var settings = HistorySettings()
    settings.retention = .init(age: age, count: count, consumerAge: consumerAge)
    return try folder.sql { db in
      try HistoryPruner.prune(settings, db)
      return try Int64.fetchAll(db, sql: "SELECT position FROM strata_history ORDER BY 1")
    }
  }

  @Test func `What is old or far back goes, but for the last of it, and never the newest`() throws {
    try expectEqual(left(file(6), 2.5 * 86_400), [3, 4, 5, 6])
    try expectEqual(left(file(6), .infinity, 2), [4, 5, 6])
    try expectEqual(left(file(6)), [1, 2, 3, 4, 5, 6])
    try expectEqual(left(file(6), 0, 0), [6])
    try expectEqual(left(file(6), 1e300, 1), [5, 6])
  }

  @Test func `Any number may be in the settings`() throws {
    for newest in 1...3 {
      let folder = try file(newest)
      for count in [Int.min, newest - .max, -1, 0] {
        try expectEqual(
          left(folder, .infinity, count), Array(max(1, newest - 1)...newest).map(Int64.init))
      }
      try expectEqual(left(folder, .infinity, .max).last, Int64(newest))
    }
  }

  @Test func `Consumers are waited for, unless they took nothing for long`() throws {
    let folder = try file(6)
    try folder.execute(
      "INSERT INTO strata_history_consumer SELECT 'slow', position, mark, at FROM strata_history WHERE position = 4"
    )
    try expectEqual(left(folder, 0, 1, 30 * 86_400), [4, 5, 6])
    try expectEqual(left(folder, 0, 1, 1.5 * 86_400), [6])
  }

  @Test func `A clock that is far ahead deletes nothing that a consumer hasn't had`() throws {
    let folder = try file(6)
    // As a process sees it whose clock is 31 days ahead: all is of one second, 31 days ago.
    try folder.execute(
      """
      UPDATE strata_history SET at = strftime('%Y-%m-%d %H:%M:%f', 'now', '-31 days');
      INSERT INTO strata_history_consumer SELECT 'slow', position, mark, at FROM strata_history
        WHERE position = 3;
      INSERT INTO strata_history (mark, at, kind, schema_version, changes)
        SELECT 7, strftime('%Y-%m-%d %H:%M:%f', 'now'), 'write', schema_version, '[]'
        FROM strata_history WHERE position = 6;
      """)
    let (week, month) = (7 * 86_400.0, 30 * 86_400.0)
    try expectEqual(left(folder, week, 1_000_000, month), [1, 2, 3, 4, 5, 6, 7])
    // Entries that are far back go, but the consumer is waited for.
    try expectEqual(left(folder, week, 2, month), [3, 4, 5, 6, 7])
    // After two hours of transactions the time is known.
    try folder.execute(
      "UPDATE strata_history SET at = strftime('%Y-%m-%d %H:%M:%f', 'now', '-2 hours') WHERE position = 6"
    )
    try expectEqual(left(folder, week, 1_000_000, month), [5, 6, 7])
  }

  @Test func `However many transactions there are, those go that need not be kept`() throws {
    let folder = try TestFolder()
    let retention = Realm.Configuration.History.Retention(age: .seconds(86_400), count: 10)
    let configuration = folder.ledger(.init(retention: retention))
    try autoreleasepool { _ = try Realm(configuration: configuration) }
    let count = 2 * HistoryPruner.maxRows + 500
    try folder.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO strata_history (mark, at, kind, schema_version, changes)
        SELECT i, strftime('%Y-%m-%d %H:%M:%f', 'now'), 'write', 0, '[]' FROM n
      """)
    let realm = try Realm(configuration: configuration)
    // A part after each commit, until nothing is left.
    for number in 1...4 { try realm.write { realm.add(LedgerNote("\(number)")) } }
    try expectTrue(realm.history().count <= 14)
  }

  @Test func `An open file deletes what it need not keep`() throws {
    let folder = try file(6)
    let retention = Realm.Configuration.History.Retention(age: .seconds(2 * 86_400), count: 100)
    let realm = try Realm(configuration: folder.ledger(.init(retention: retention)))
    try expectEqual(realm.history().count, 6)
    // After the first commit, on another thread; the next one waits for it.
    try realm.write { realm.add(LedgerNote("a")) }
    try realm.write { realm.add(LedgerNote("b")) }
    let dates = try realm.history().map(\.date)
    expectTrue(dates.dropFirst().allSatisfy { abs($0.timeIntervalSinceNow) < 2 * 86_400 })
    let kept = dates.count
    expectEqual(kept, 5)
    // Not at each commit: once in a minute.
    try folder.execute("UPDATE strata_history SET at = '2020-01-01 00:00:00.000'")
    try realm.write { realm.add(LedgerNote("c")) }
    try expectEqual(realm.history().count, kept + 1)
  }

  @Test func `Who waited in a file without changes for long has missed nothing`() async throws {
    let folder = try file(3)
    try folder.execute("UPDATE strata_history SET at = '2020-01-01 00:00:00.000'")
    try folder.execute(
      "INSERT INTO strata_history_consumer SELECT 'waiting', position, mark, at FROM strata_history WHERE position = 3"
    )
    let realm = try Realm(configuration: folder.ledger())
    let token = try #require(try realm.historyToken)
    try realm.write { realm.add(LedgerNote("a")) }
    // It waits for the deletion.
    try realm.write { realm.add(LedgerNote("b")) }
    // The clock may be wrong: nothing is younger than a week, and older than an hour.
    try expectEqual(realm.history().count, 5)
    try expectEqual(realm.history(after: token).count, 2)
    try expectEqual(realm.consumeHistory(as: "waiting") { _ in }, 2)
    var iterator = realm.history(following: token).makeAsyncIterator()
    try await expectEqual(iterator.next()?.texts, ["Note 3 inserted"])
  }
}
