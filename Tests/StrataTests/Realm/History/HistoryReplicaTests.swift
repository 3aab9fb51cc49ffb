import Foundation
import Strata
import StrataTestKit
import Testing

@Suite(.needsHook) struct HistoryReplicaTests {
  @Test func `The history of a replica is that of its file, and is followed`() async throws {
    let test = try TestReplica()
    let primary = try await Realm.open(configuration: test.primary.ledger())
    try primary.write { primary.add(LedgerNote("a")) }
    try test.publish()
    let replica = try await Realm.open(configuration: test.configuration(Ledger.types))
    #expect(try replica.historyToken == primary.historyToken)
    var iterator = replica.history(following: nil).makeAsyncIterator()
    #expect(try await iterator.next()?.kind == .began)
    #expect(try await iterator.next()?.texts == ["Note 1 inserted"])
    try primary.write { primary.add(LedgerNote("b")) }
    try primary.write { primary.delete(primary.objects(LedgerNote.self).first!) }
    try test.publish()
    #expect(try await iterator.next()?.texts == ["Note 2 inserted"])
    #expect(try await iterator.next()?.texts == ["Note 1 deleted"])
    #expect(throws: Realm.Error.self) { try replica.consumeHistory(as: "a") { _ in } }
    // A token is of both.
    let token = try primary.historyToken
    #expect(try replica.history(after: token).isEmpty)
  }
}
