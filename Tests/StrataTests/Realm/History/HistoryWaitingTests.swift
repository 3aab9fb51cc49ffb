import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// A reader of a replica who waits for what was just written to the original.
@Suite(.needsHook) @MainActor struct HistoryWaitingTests {
  private func add(_ text: String, _ realm: Realm) throws -> HistoryToken {
    try realm.write { realm.add(LedgerNote(text)) }
    return try #require(try realm.historyToken)
  }

  /// The original with one note, and a realm of its replica.
  private func open(_ test: TestReplica) async throws -> (primary: Realm, replica: Realm) {
    let primary = try await Realm.open(configuration: test.primary.ledger())
    _ = try add("first", primary)
    try test.publish()
    return (primary, try await Realm.open(configuration: test.configuration(Ledger.types)))
  }

  @Test func `A later token of a file is the greater one`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.ledger())
    let tokens = try (0..<12).map { try add("\($0)", realm) }
    expectEqual(tokens.shuffled().sorted(), tokens)
    expectTrue(HistoryToken("9-0000000000000001")! < HistoryToken("10-0000000000000000")!)
    expectTrue(HistoryToken("9-0000000000000001")! < HistoryToken("9-0000000000000002")!)
  }

  @Test func `A frozen realm of the original is behind, and its history is the same`() async throws
  {
    let folder = try TestFolder()
    let realm = try await Realm.open(configuration: folder.ledger())
    let shown = try add("a", realm)
    let frozen = realm.freeze()
    let later = try add("b", realm)
    try await frozen.wait(for: shown, within: .zero)
    let error = await #expect(throws: Realm.Error.self) {
      try await frozen.wait(for: later, within: .seconds(60))
    }
    expectEqual(error?.code, .replicaBehind)
    let other = try TestFolder()
    let token = try add("c", Realm(configuration: other.ledger()))
    let lost = HistoryToken("99-\(token.description.split(separator: "-")[1])")
    let diverged = try await #require(throws: Realm.Error.self) {
      try await frozen.wait(for: #require(lost))
    }
    expectEqual(diverged.code, .historyDiverged)
  }

  @Test(.timeLimit(.minutes(5)))
  func `Whoever waits for a token sees its transaction, however late it comes`() async throws {
    let test = try TestReplica()
    let (primary, replica) = try await open(test)
    for number in 1...5 {
      let token = try add("\(number)", primary)
      let wait = Task { try await replica.wait(for: token, within: .seconds(60)) }
      await Task.yield()
      try test.publish()
      try await wait.value
      expectEqual(replica.objects(LedgerNote.self).count, number + 1)
      // The next wait ends at once.
      try await replica.wait(for: token, within: .zero)
    }
  }

  @Test func `A replica that is behind says how far, and goes on showing what it has`() async throws
  {
    let test = try TestReplica()
    let (primary, replica) = try await open(test)
    let newest = try #require(try replica.historyToken)
    let token = try add("second", primary)
    for realm in [replica, replica.freeze()] {
      let error = await #expect(throws: Realm.Error.self) {
        try await realm.wait(for: token, within: realm.isFrozen ? .seconds(600) : .zero)
      }
      expectEqual(error?.code, .replicaBehind)
      let message = error?.message ?? ""
      expectTrue(message.hasPrefix("The replica at path '\(test.folder.path)"), "\(message)")
      expectTrue(
        message.hasSuffix(
          "lacks the transaction '\(token)' after \(realm.isFrozen ? "600.0" : "0.0") seconds: its newest "
            + "one is '\(newest)'. Wait longer, or read the original."), "\(message)")
    }
    expectEqual(replica.objects(LedgerNote.self).count, 1)
  }

  @Test func `A token of another history is an error at once, on both sides`() async throws {
    let test = try TestReplica()
    let (primary, replica) = try await open(test)
    let newest = try #require(try primary.historyToken)
    let position = newest.description.prefix { $0 != "-" }
    let other = HistoryToken("\(position)-0000000000000007")!
    let future = HistoryToken("\(Int(position)! + 1)-0000000000000007")!
    for (realm, token) in [(replica, other), (primary, other), (primary, future)] {
      let error = await #expect(throws: Realm.Error.self) {
        try await realm.wait(for: token, within: .seconds(600))
      }
      expectEqual(error?.code, .historyDiverged)
    }
  }

  @Test func `A transaction that is no longer kept is shown`() async throws {
    let test = try TestReplica()
    let (primary, _) = try await open(test)
    let old = try #require(try primary.historyToken)
    let token = try add("second", primary)
    try primary.deleteHistory(before: token)
    try await primary.wait(for: old)
    try test.publish()
    let replica = try await Realm.open(configuration: test.configuration(Ledger.types))
    try await replica.wait(for: old, within: .zero)
    expectEqual(replica.objects(LedgerNote.self).count, 2)
  }

  @Test func `On the original, a realm that shows an older state moves on`() async throws {
    let folder = try TestFolder()
    let realm = try await Realm.open(configuration: folder.ledger())
    _ = try add("first", realm)
    realm.autorefresh = false
    expectEqual(realm.objects(LedgerNote.self).count, 1)
    let configuration = folder.ledger()
    let token = try await Task.detached {
      let other = try Realm(configuration: configuration)
      try other.write { other.add(LedgerNote("second")) }
      return try other.historyToken
    }.value
    expectEqual(realm.objects(LedgerNote.self).count, 1)
    try await realm.wait(for: #require(token))
    expectEqual(realm.objects(LedgerNote.self).count, 2)
  }

  @Test(.timeLimit(.minutes(5)))
  func `The wait ends with its task`() async throws {
    let test = try TestReplica()
    let (primary, _) = try await open(test)
    let token = try add("second", primary)
    let configuration = test.configuration(Ledger.types)
    let task = Task {
      let replica = try await Realm.open(configuration: configuration)
      try await replica.wait(for: token, within: .seconds(600))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `A file without a history has no token to wait for`() async throws {
    let folder = try TestFolder()
    let realm = try await Realm.open(
      configuration: Realm.Configuration(fileURL: folder.file, objectTypes: Ledger.types))
    let error = await #expect(throws: Realm.Error.self) {
      try await realm.wait(for: HistoryToken("1-0000000000000001")!)
    }
    expectEqual(error?.code, .fail)
  }
}
