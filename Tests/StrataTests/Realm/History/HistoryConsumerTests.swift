import Foundation
import Strata
import StrataTestKit
import Testing

@Suite(.needsHook) struct HistoryConsumerTests {
  private struct Stop: Error {}

  private func add(_ texts: String..., to realm: Realm) throws {
    for text in texts { try realm.write { realm.add(LedgerNote(text)) } }
  }

  @Test func `A consumer gets each transaction once, and not its own`() throws {
    let folder = try TestFolder()
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
    #expect(try consume(3) == 3)
    #expect(try consume(100) == 1)
    let token = try realm.historyToken
    #expect(try consume(100) == 0)
    #expect(try realm.historyToken == token)
    try add("d", to: realm)
    #expect(try consume(100) == 1)
    #expect(Set(had).count == had.count)
    #expect(
      realm.objects(LedgerPerson.self).sorted(by: \.name).map(\.name)
        == (1...4).map { "Message \($0)" })
    #expect(try realm.history().filter { $0.author == "outbox" }.count == 3)
  }

  @Test func `A consumer can't have the name of the author`() async throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.ledger(.init(author: "orders")))
    try add("a", to: realm)
    let message =
      "The consumer 'orders' has the name of the author of this realm's transactions, and would get none of "
      + "them. Give one of the two another name."
    func check(_ body: () throws -> Void) {
      let error = #expect(throws: Realm.Error.self, performing: body)
      #expect(error?.code == .fail && error?.message == message)
    }
    check { try realm.consumeHistory(as: "orders") { _ in } }
    let token = try #require(try realm.historyToken)
    check { try realm.moveHistoryConsumer("orders", to: token) }
    let error = await #expect(throws: Realm.Error.self) {
      try await realm.sendHistory(as: "orders") { _ in }
    }
    #expect(error?.message == message)
    #expect(try realm.consumeHistory(as: "outbox") { _ in } == 2)
  }

  @Test func `A consumer's own transactions don't hide those behind them`() throws {
    let folder = try TestFolder()
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
    for _ in 0..<3 { #expect(try consume() == 1) }
    try add("c", to: realm)
    #expect(try consume() == 1)
    #expect(realm.objects(LedgerPerson.self).count == 3)
    #expect(try consume() == 0)
    #expect(try realm.historyConsumers().map(\.behind) == [0])
  }

  @Test func `The world outside gets what is behind a consumer's own transactions`() async throws {
    let folder = try TestFolder()
    let realm = try await Realm.open(configuration: folder.ledger())
    try await realm.sendHistory(as: "search") { _ in }
    for _ in 0..<3 { try realm.write(author: "search") { realm.add(LedgerNote("own")) } }
    try add("a", to: realm)
    let count = try await realm.sendHistory(as: "search", limit: 2) { transactions in
      #expect(transactions.count == 1)
    }
    #expect(count == 1)
  }

  @Test func `What a closure that throws has written is rolled back`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.ledger())
    try add("a", to: realm)
    #expect(throws: Stop.self) {
      try realm.consumeHistory(as: "outbox") { _ in
        realm.add(LedgerNote("message"))
        throw Stop()
      }
    }
    #expect(realm.objects(LedgerNote.self).count == 1)
    var count = 0
    try realm.consumeHistory(as: "outbox") { count += $0.count }
    #expect(count == 2)
  }

  @Test func `The world outside gets each at least once`() async throws {
    let folder = try TestFolder()
    let realm = try await Realm.open(configuration: folder.ledger())
    try add("a", "b", to: realm)
    await #expect(throws: Stop.self) {
      try await realm.sendHistory(as: "search") { _ in throw Stop() }
    }
    var sent: [HistoryToken] = []
    let first = try await realm.sendHistory(as: "search", limit: 2) { transactions in
      await Task.yield()
      #expect(!realm.isInWriteTransaction)
      sent += transactions.map(\.id)
    }
    #expect(first == 2)
    let rest = try await realm.sendHistory(as: "search") { transactions in
      sent += transactions.map(\.id)
    }
    #expect(rest == 1)
    #expect(sent == (try realm.history().map(\.id)))
    let none = try await realm.sendHistory(as: "search") { _ in throw Stop() }
    #expect(none == 0)
  }

  @Test func `A slow one never takes a consumer back to where others have been`() async throws {
    let folder = try TestFolder()
    let realm = try await Realm.open(configuration: folder.ledger())
    try add("a", "b", to: realm)
    let count = try await realm.sendHistory(as: "search", limit: 1) { _ in
      // As another process does meanwhile.
      try realm.moveHistoryConsumer("search", to: try #require(try realm.historyToken))
    }
    #expect(count == 1)
    #expect(try realm.historyConsumers().map(\.behind) == [0])
  }

  @Test func `Consumers are listed, moved and removed`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.ledger())
    try add("a", "b", to: realm)
    try realm.consumeHistory(as: "b", limit: 1) { _ in }
    try realm.moveHistoryConsumer("a", to: try #require(try realm.historyToken))
    let consumers = try realm.historyConsumers()
    #expect(consumers.map(\.name) == ["a", "b"])
    #expect(consumers.map(\.behind) == [0, 2])
    #expect(abs(consumers[0].updatedAt.timeIntervalSinceNow) < 60)
    try realm.removeHistoryConsumer("b")
    #expect(try realm.historyConsumers().map(\.name) == ["a"])
    let error = #expect(throws: Realm.Error.self) { try realm.removeHistoryConsumer("b") }
    #expect(error?.message == "The history has no consumer 'b'.")
    let nameless = #expect(throws: Realm.Error.self) {
      try realm.consumeHistory(as: "") { _ in }
    }
    #expect(nameless?.message == "A consumer of the history needs a name.")
  }

  @Test func `A consumer that has missed transactions is told`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.ledger())
    try add("a", to: realm)
    try realm.consumeHistory(as: "slow", limit: 1) { _ in }
    try add("b", "c", to: realm)
    let now = try #require(try realm.historyToken)
    try realm.deleteHistory(before: now)
    let error = #expect(throws: Realm.Error.self) {
      try realm.consumeHistory(as: "slow") { _ in }
    }
    #expect(error?.code == .historyExpired)
    #expect(!realm.isInWriteTransaction)
    try realm.moveHistoryConsumer("slow", to: now)
    #expect(try realm.consumeHistory(as: "slow") { _ in } == 0)
  }

  @Test func `A file without a history has no consumers`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration(Ledger.types))
    let error = #expect(throws: Realm.Error.self) { try realm.consumeHistory(as: "a") { _ in } }
    #expect(error?.code == .fail)
    #expect(error?.message.hasPrefix("No history is kept in the file at path") == true)
  }
}
