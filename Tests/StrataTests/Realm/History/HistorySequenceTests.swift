import Foundation
import GRDB
import Strata
import StrataTestKit
import Synchronization
import TestKit
import Testing

@Suite(.needsHook) struct HistorySequenceTests {
  @Test func `A sequence has what there is, and each transaction that follows`() async throws {
    let folder = try TestFolder()
    let configuration = folder.ledger()
    let realm = try await Realm.open(configuration: configuration)
    try realm.write { realm.add(LedgerNote("a")) }
    let sequence = realm.history(following: nil)
    let task = Task {
      var texts: [[String]] = []
      for try await transaction in sequence {
        texts.append(transaction.texts)
        if texts.count == 4 { break }
      }
      return texts
    }
    try realm.write { realm.add(LedgerNote("b")) }
    try folder.execute("UPDATE LedgerNote SET text = 'x' WHERE _id = 1")
    try await expectEqual(
      task.value,
      [
        [], ["Note 1 inserted"], ["Note 2 inserted"], ["Note 1 updated text"],
      ])
  }

  @Test func `A transaction of the same process wakes a sequence by itself`() async throws {
    // Nothing looks for other processes that change a realm in memory.
    var configuration = Realm.Configuration(
      inMemoryIdentifier: "\(UUID())", objectTypes: Ledger.types)
    configuration.history = .init()
    let realm = try await Realm.open(configuration: configuration)
    let token = try realm.historyToken
    var iterator = realm.history(following: token).makeAsyncIterator()
    Thread.detachNewThread { [configuration] in
      #expect(throws: Never.self) {
        let realm = try Realm(configuration: configuration)
        usleep(50_000)
        try realm.write { realm.add(LedgerNote("a")) }
      }
    }
    try await expectEqual(iterator.next()?.texts, ["Note 1 inserted"])
  }

  @Test func `Two sequences are independent, and end with their tasks`() async throws {
    let folder = try TestFolder()
    let realm = try await Realm.open(configuration: folder.ledger())
    let sequence = realm.history(following: try realm.historyToken)
    let seen = Counts()
    let tasks = ["one", "two"].map { name in
      Task.detached { [seen] in
        for try await transaction in sequence {
          seen.add(transaction.changes.count, to: name)
        }
      }
    }
    for number in 1...250 { try realm.write { realm.add(LedgerNote("\(number)")) } }
    await expectTrue(eventually { seen.all == ["one": 250, "two": 250] })
    for task in tasks { task.cancel() }
    for task in tasks { try await task.value }
    expectEqual(seen.all, ["one": 250, "two": 250])
  }

  @Test func `A sequence keeps no version, and throws what has expired`() async throws {
    let folder = try TestFolder()
    let realm = try await Realm.open(configuration: folder.ledger())
    let token = try realm.historyToken
    try realm.write { realm.add(LedgerNote("a")) }
    var iterator = realm.history(following: token).makeAsyncIterator()
    _ = try await iterator.next()
    expectTrue(realm.activeVersions.isEmpty)
    try realm.write { realm.add(LedgerNote("b")) }
    try realm.deleteHistory(before: try #require(try realm.historyToken))
    var old = realm.history(following: token).makeAsyncIterator()
    await #expect(throws: Realm.Error.self) { _ = try await old.next() }
  }

  @Test(.timeLimit(.minutes(1)), arguments: [true, false])
  func `A sequence goes on when another process migrates the file`(isWriter: Bool) async throws {
    let folder = try TestFolder()
    try autoreleasepool {
      let realm = try Realm(configuration: folder.ledger())
      try realm.write { realm.add(LedgerNote("a")) }
    }
    let realm = try await Realm.open(configuration: folder.ledger())
    if isWriter { try realm.write { realm.add(LedgerNote("b")) } }
    var iterator = realm.history(following: try realm.historyToken).makeAsyncIterator()
    let file = folder.file
    async let migration: Void = {
      // It waits by then.
      try await Task.sleep(for: .milliseconds(300))
      let other = try DatabaseQueue.otherProgram(at: file)
      try await other.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            INSERT INTO strata_schema_version (version, schema, migrated_at)
            SELECT 9, schema, migrated_at FROM strata_schema_version;
            UPDATE LedgerNote SET text = 'x' WHERE _id = 1
            """)
      }
      try other.close()
    }()
    try await expectEqual(iterator.next()?.texts, ["Note 1 updated text"])
    try await migration
  }
}

private final class Counts: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  var all: [String: Int] { counts.withLock { $0 } }

  func add(_ count: Int, to name: String) {
    counts.withLock { $0[name, default: 0] += count }
  }
}
