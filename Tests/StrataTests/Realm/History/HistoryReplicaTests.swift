import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite(.needsHook) struct HistoryReplicaTests {
  @Test func `The history of a replica is that of its file, and is followed`() async throws {
    let test = try TestReplica()
    let primary = try await Realm.open(configuration: test.primary.ledger())
    try primary.write { primary.add(LedgerNote("a")) }
    try test.publish()
    let replica = try await Realm.open(configuration: test.configuration(Ledger.types))
    try expectEqual(replica.historyToken, primary.historyToken)
    var iterator = replica.history(following: nil).makeAsyncIterator()
    try await expectEqual(iterator.next()?.kind, .began)
    try await expectEqual(iterator.next()?.texts, ["Note 1 inserted"])
    try primary.write { primary.add(LedgerNote("b")) }
    try primary.write { primary.delete(primary.objects(LedgerNote.self).first!) }
    try test.publish()
    try await expectEqual(iterator.next()?.texts, ["Note 2 inserted"])
    try await expectEqual(iterator.next()?.texts, ["Note 1 deleted"])
    #expect(throws: Realm.Error.self) { try replica.consumeHistory(as: "a") { _ in } }
    // A token is of both.
    let token = try primary.historyToken
    try expectTrue(replica.history(after: token).isEmpty)
  }

  @Test(.timeLimit(.minutes(1)))
  func `A sequence ends with an error when the replica is at another schema version`() async throws
  {
    let test = try TestReplica()
    try autoreleasepool {
      let primary = try Realm(configuration: test.primary.ledger())
      try primary.write { primary.add(LedgerNote("a")) }
    }
    try test.publish()
    let replica = try await Realm.open(configuration: test.configuration(Ledger.types))
    var iterator = replica.history(following: try replica.historyToken).makeAsyncIterator()
    try test.primary.execute(
      """
      INSERT INTO strata_schema_version (version, schema, migrated_at)
      SELECT 9, schema, migrated_at FROM strata_schema_version
      """)
    let entry = try test.publish()
    let error = await #expect(throws: Realm.Error.self) { _ = try await iterator.next() }
    expectEqual(error?.code, .fail)
    expectEqual(
      error?.message,
      "Unsupported schema changes were made by another client or process: the file is at schema version 9 "
        + "now, and was opened at 0. Close the realm and open it with the new version.")
    expectEqual(error?.fileURL, test.folder.file(entry.name))
    // One that begins later, too.
    var late = replica.history(following: try replica.historyToken).makeAsyncIterator()
    await #expect(throws: Realm.Error.self) { _ = try await late.next() }
  }
}
