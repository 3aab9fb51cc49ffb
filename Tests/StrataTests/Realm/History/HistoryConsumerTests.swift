import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite(.needsHook) struct HistoryConsumerTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private struct Stop: Error {}

  private func add(_ texts: String..., to realm: Realm) throws {
    for text in texts { try realm.write { realm.add(LedgerNote(text)) } }
  }

  @Test func `A consumer gets each transaction once, and not its own`() throws {
    let realm = try Realm(configuration: folder.ledger())
    try add("a", "b", "c", to: realm)
    var had: [HistoryToken] = []
    func consume(_ limit: Int) throws -> Int {
      try realm.consumeHistory(as: "outbox", limit: limit) { transactions in
        had += transactions.map(\.id)
        for change in transactions.flatMap({ $0.changes(of: LedgerNote.self) }) {
          realm.create(LedgerPerson.self, value: ["name": "Message \(change.identity)"])
        }
      }
    }
    try expectEqual(consume(3), 3)
    try expectEqual(consume(100), 1)
    let token = try realm.historyToken
    try expectEqual(consume(100), 0)
    try expectEqual(realm.historyToken, token)
    try add("d", to: realm)
    try expectEqual(consume(100), 1)
    expectEqual(Set(had).count, had.count)
    expectEqual(
      realm.objects(LedgerPerson.self).sorted(by: \.name).map(\.name),
      (1...4).map { "Message \($0)" })
    try expectEqual(realm.history().filter { $0.author == "outbox" }.count, 3)
  }

  @Test func `A consumer can't have the name of the author`() async throws {
    let realm = try Realm(configuration: folder.ledger(.init(author: "orders")))
    try add("a", to: realm)
    let message =
      "The consumer 'orders' has the name of the author of this realm's transactions, and would get none of "
      + "them. Give the consumer or the author another name."
    func check(_ body: () throws -> Void) {
      let error = #expect(throws: Realm.Error.self, performing: body)
      expectTrue(error?.code == .fail && error?.message == message)
    }
    check { try realm.consumeHistory(as: "orders") { _ in } }
    let token = try #require(try realm.historyToken)
    check { try realm.moveHistoryConsumer("orders", to: token) }
    let error = await #expect(throws: Realm.Error.self) {
      try await realm.sendHistory(as: "orders") { _ in }
    }
    expectEqual(error?.message, message)
    try expectEqual(realm.consumeHistory(as: "outbox") { _ in }, 2)
  }

  @Test func `A consumer's own transactions don't hide those behind them`() throws {
    let realm = try Realm(configuration: folder.ledger())
    func consume() throws -> Int {
      try realm.consumeHistory(as: "outbox", limit: 1) { transactions in
        guard transactions.contains(where: { !$0.changes(of: LedgerNote.self).isEmpty }) else {
          return
        }
        realm.add(LedgerPerson(UUID().uuidString))
      }
    }
    try add("a", "b", to: realm)
    // The beginning, and two notes.
    for _ in 0..<3 { try expectEqual(consume(), 1) }
    try add("c", to: realm)
    try expectEqual(consume(), 1)
    expectEqual(realm.objects(LedgerPerson.self).count, 3)
    try expectEqual(consume(), 0)
    try expectEqual(realm.historyConsumers().map(\.behind), [0])
  }

  @Test func `The world outside gets what is behind a consumer's own transactions`() async throws {
    let realm = try await Realm.open(configuration: folder.ledger())
    try await realm.sendHistory(as: "search") { _ in }
    for _ in 0..<3 { try realm.write(author: "search") { realm.add(LedgerNote("own")) } }
    try add("a", to: realm)
    let count = try await realm.sendHistory(as: "search", limit: 2) { transactions in
      expectEqual(transactions.count, 1)
    }
    expectEqual(count, 1)
  }

  @Test func `What a closure that throws has written is rolled back`() throws {
    let realm = try Realm(configuration: folder.ledger())
    try add("a", to: realm)
    #expect(throws: Stop.self) {
      try realm.consumeHistory(as: "outbox") { _ in
        realm.add(LedgerNote("message"))
        throw Stop()
      }
    }
    expectEqual(realm.objects(LedgerNote.self).count, 1)
    var count = 0
    try realm.consumeHistory(as: "outbox") { count += $0.count }
    expectEqual(count, 2)
  }

  @Test func `The world outside gets each at least once`() async throws {
    let realm = try await Realm.open(configuration: folder.ledger())
    try add("a", "b", to: realm)
    await #expect(throws: Stop.self) {
      try await realm.sendHistory(as: "search") { _ in throw Stop() }
    }
    var sent: [HistoryToken] = []
    let first = try await realm.sendHistory(as: "search", limit: 2) { transactions in
      await Task.yield()
      expectFalse(realm.isInWriteTransaction)
      sent += transactions.map(\.id)
    }
    expectEqual(first, 2)
    let rest = try await realm.sendHistory(as: "search") { transactions in
      sent += transactions.map(\.id)
    }
    expectEqual(rest, 1)
    expectEqual(sent, (try realm.history().map(\.id)))
    let none = try await realm.sendHistory(as: "search") { _ in throw Stop() }
    expectEqual(none, 0)
  }

  @Test func `A slow one never takes a consumer back to where others have been`() async throws {
    let realm = try await Realm.open(configuration: folder.ledger())
    try add("a", "b", to: realm)
    let count = try await realm.sendHistory(as: "search", limit: 1) { _ in
      // As another process does meanwhile.
      try realm.moveHistoryConsumer("search", to: try #require(try realm.historyToken))
    }
    expectEqual(count, 1)
    try expectEqual(realm.historyConsumers().map(\.behind), [0])
  }

  @Test func `Consumers are listed, moved and removed`() throws {
    let realm = try Realm(configuration: folder.ledger())
    try add("a", "b", to: realm)
    try realm.consumeHistory(as: "b", limit: 1) { _ in }
    try realm.moveHistoryConsumer("a", to: try #require(try realm.historyToken))
    let consumers = try realm.historyConsumers()
    expectEqual(consumers.map(\.name), ["a", "b"])
    expectEqual(consumers.map(\.behind), [0, 2])
    expectTrue(abs(consumers[0].updatedAt.timeIntervalSinceNow) < 60)
    try realm.removeHistoryConsumer("b")
    try expectEqual(realm.historyConsumers().map(\.name), ["a"])
    expectError("The history has no consumer 'b'.") { try realm.removeHistoryConsumer("b") }
    expectError("A consumer of the history needs a name.") {
      try realm.consumeHistory(as: "") { _ in }
    }
  }

  @Test func `A consumer that has missed transactions is told`() throws {
    let realm = try Realm(configuration: folder.ledger())
    try add("a", to: realm)
    try realm.consumeHistory(as: "slow", limit: 1) { _ in }
    try add("b", "c", to: realm)
    let now = try #require(try realm.historyToken)
    try realm.deleteHistory(before: now)
    expectError(code: .historyExpired) {
      try realm.consumeHistory(as: "slow") { _ in }
    }
    expectFalse(realm.isInWriteTransaction)
    try realm.moveHistoryConsumer("slow", to: now)
    try expectEqual(realm.consumeHistory(as: "slow") { _ in }, 0)
  }
}
