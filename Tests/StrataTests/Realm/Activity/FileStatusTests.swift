import Foundation
import InMemoryLogging
import Logging
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite struct FileStatusTests {
  private typealias Item = Items.V1.Item

  @Test func `A file is sampled while it is open`() async throws {
    let folder = try TestFolder()
    let observer = RecordingObserver()
    var configuration = folder.observed(by: observer)
    configuration.history = .init()
    let realm = try await Realm.open(configuration: configuration)
    try await realm.asyncWrite { realm.add(Item()) }
    try realm.consumeHistory(as: "index") { _ in }
    let frozen = realm.freeze()
    try await realm.asyncWrite { realm.add(Item()) }
    let known = observer.statuses.all.count
    let status = try #require(await observer.statuses.arrival(of: known + 2).last)
    expectEqual(status.file, "test.sqlite")
    expectEqual(status.versionsKept, 1)
    expectTrue(status.oldestVersionAge > .zero)
    expectTrue(status.fileBytes > 0)
    expectTrue(status.walBytes > 0)
    expectEqual(status.writersWaiting, 0)
    expectEqual(status.behind, ["index": 1])
    expectNil(status.replicaLag)
    expectNil(status.hasReplicaProblem)
    withExtendedLifetime(frozen) {}
  }

  @Test func `A replica is sampled with its lag and its problem`() async throws {
    let replica = try TestReplica()
    try replica.write([Item.self]) { $0.add(Item()) }
    try replica.publish()
    let observer = RecordingObserver()
    var configuration = replica.configuration([Item.self])
    configuration.observers = [observer]
    let realm = try await Realm.open(configuration: configuration)
    let status = try #require(await observer.statuses.arrival(of: 1).last)
    expectEqual(status.hasReplicaProblem, false)
    expectTrue(status.fileBytes > 0)
    try replica.publish { try Data("no database".utf8).write(to: $0) }
    await expectTrue(eventually { observer.statuses.all.last?.hasReplicaProblem == true })
    withExtendedLifetime(realm) {}
  }

  @Test func `Observers don't keep a file open`() async throws {
    let folder = try TestFolder()
    let observer = RecordingObserver(queriesLongerThan: .zero)
    let configuration = folder.observed(by: observer)
    for _ in 0..<20 {
      let realm = try await Realm.open(configuration: configuration)
      try await realm.asyncWrite { realm.add(Item()) }
      expectFalse(realm.objects(Item.self).isEmpty)
    }
    try await Realm.close(configuration, within: .seconds(600))
    let known = observer.statuses.all.count
    try await Task.sleep(for: .milliseconds(1_500))
    // One may have been on its way.
    expectTrue(observer.statuses.all.count <= known + 1)
  }

  @Test func `Slow queries are logged with their plan and without values`() throws {
    let folder = try TestFolder()
    let handler = InMemoryLogHandler()
    let logger = Logger(label: "test") { _ in handler }
    let realm = try Realm(
      configuration: folder.observed(by: SlowQueryLog(longerThan: .zero, logger: logger)))
    expectTrue(realm.objects(Item.self).where { $0.text == "a secret" }.isEmpty)
    let entry = try #require(handler.entries.last)
    expectEqual(entry.level, .warning)
    expectTrue("\(entry.message)".wholeMatch(of: /A query took \d+ ms\./) != nil)
    expectEqual(entry.metadata["class"], "Item")
    expectEqual(entry.metadata["file"], "test.sqlite")
    expectTrue("\(entry.metadata["plan"] ?? "")".contains("SCAN t"))
    expectFalse("\(entry.metadata)".contains("secret"))
    let quiet = SlowQueryLog(longerThan: .seconds(100))
    expectEqual(quiet.slowQueryThreshold, .seconds(100))
  }
}
