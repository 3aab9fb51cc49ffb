import Foundation
import InMemoryLogging
import Logging
import StrataStorage
import StrataTestKit
import TestKit
import Testing

@testable import Strata

private final class Order: Object {
  @Persisted var number = 0
}

private final class Customer: Object {
  @Persisted var name = ""
}

@Suite struct ReplicaFaultTests {
  let test: TestReplica
  private let log = InMemoryLogHandler()

  init() throws {
    test = try TestReplica()
    try publish(1)
  }

  private func publish(
    _ count: Int, types: [ObjectBase.Type] = [Order.self], version: UInt64 = 0
  ) throws {
    try test.write(types, version: version) { realm in
      if types.contains(where: { $0 == Order.self }) {
        realm.deleteAll()
        for number in 0..<count { realm.create(Order.self, value: ["number": number]) }
      }
    }
    try test.publish()
  }

  private func open(_ types: [ObjectBase.Type] = [Order.self]) throws -> Realm {
    var configuration = test.configuration(types)
    var logger = Logger(label: "test", factory: { [log] _ in log })
    logger.logLevel = .warning
    configuration.logger = logger
    return try Realm(configuration: configuration)
  }

  private enum Damage: String, CaseIterable {
    case missing, empty, garbage, truncated, other, folder

    /// Damages a whole file.
    func apply(to file: URL, _ test: TestReplica) throws {
      chmod(file.path, 0o644)
      switch self {
      case .missing: try FileManager.default.removeItem(at: file)
      case .empty: try Data().write(to: file)
      case .garbage:
        try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: file)
      case .truncated:
        let bytes = try Data(contentsOf: file)
        try bytes.prefix(bytes.count - 4_096).write(to: file)
      case .other:
        try FileManager.default.removeItem(at: file)
        let other = try TestFolder()
        try other.execute("CREATE TABLE note(text TEXT)")
        try FileManager.default.copyItem(at: other.file, to: file)
      case .folder:
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      }
    }
  }

  @Test(arguments: Damage.allCases)
  private func `What can't be opened is not shown, and the last good version stays`(
    damage: Damage
  ) throws {
    let realm = try open()
    let orders = realm.objects(Order.self)
    try publish(2)
    realm.refresh()
    // Damaged before it is named: the realm looks by itself, too.
    let file = test.folder.file(PublicationName(position: 3))
    try FileManager.default.copyItem(
      at: test.folder.file(PublicationName(position: 2)), to: file)
    try damage.apply(to: file, test)
    try PlainFile.replace(test.folder.current, with: "0000000000000003\n")
    for _ in 0..<3 { expectFalse(realm.refresh()) }
    expectEqual(orders.count, 2)
    let state = try #require(realm.replicaState)
    expectEqual(state.version, "0000000000000002")
    let problem = try #require(state.problem)
    let codes: Set<Realm.Error.Code> = [.invalidDatabase, .fileNotFound, .fileOperationFailed]
    expectTrue(codes.contains(problem.code))
    expectTrue(problem.message.contains(file.path), "\(problem.message)")
    let warnings = log.entries.filter { $0.level == .warning }.map { "\($0.message)" }
    expectEqual(warnings.count, 1)
    expectEqual(
      warnings.first?.hasPrefix("The version '0000000000000003' of a replica isn't shown: "), true
    )
    // The next one is shown again.
    try publish(4)
    realm.refresh()
    expectEqual(orders.count, 4)
    expectNil(realm.replicaState?.problem)
  }

  @Test(arguments: ["", "\n", "../test\n", "0000000000000009\n"])
  func `A damaged name leaves what is shown`(text: String) throws {
    let realm = try open()
    try Data(text.utf8).write(to: test.folder.current)
    expectFalse(realm.refresh())
    expectEqual(realm.objects(Order.self).count, 1)
    expectTrue(realm.replicaState?.problem != nil)
    try publish(5)
    realm.refresh()
    expectEqual(realm.objects(Order.self).count, 5)
  }

  @Test func `A file that comes after its name is shown when it comes`() throws {
    let realm = try open()
    try publish(2)
    let file = test.folder.file(PublicationName(position: 2))
    let elsewhere = test.primary.url.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: file, to: elsewhere)
    expectFalse(realm.refresh())
    try FileManager.default.moveItem(at: elsewhere, to: file)
    realm.refresh()
    expectEqual(realm.objects(Order.self).count, 2)
  }

  @Test func `Reading goes on when the whole folder is gone`() async throws {
    for _ in 0..<50 {
      try test.primary.execute("INSERT INTO \"Order\"(number) VALUES (7)")
    }
    try test.publish()
    let realm = try open()
    realm.refresh()
    let frozen = realm.freeze()
    try FileManager.default.removeItem(at: test.folder.url)
    expectFalse(realm.refresh())
    var pairs = 0
    // Each loop has a connection of its own.
    for first in realm.objects(Order.self) {
      for second in realm.objects(Order.self) where second.number == first.number { pairs += 1 }
    }
    expectEqual(pairs, 2_501)
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<20 {
        group.addTask { [configuration = realm.configuration] in
          (try? Realm(configuration: configuration).objects(Order.self).count) ?? -1
        }
      }
      for await count in group { expectEqual(count, 51) }
    }
    expectEqual(frozen.objects(Order.self).count, 51)
    expectEqual(realm.replicaState?.problem?.code, .fileNotFound)
  }

  @Test func `A reader whose file was deleted takes the newest one`() throws {
    let realm = try open()
    // The look opens the connections that wait for their use, and no later one opens more.
    expectFalse(realm.refresh())
    // As a process that was stopped for some minutes: nothing has looked meanwhile.
    let readers = realm.session.store.readers
    let kept = try (0..<30).map { _ in try readers.borrow() }
    try publish(2)
    try FileManager.default.removeItem(at: test.folder.file(PublicationName(position: 1)))
    expectEqual(realm.objects(Order.self).count, 2)
    withExtendedLifetime(kept) {}
  }

  @Test func `Another schema version is not shown, and reads go on`() throws {
    let realm = try open()
    let frozen = realm.freeze()
    try publish(5, version: 1)
    expectFalse(realm.refresh())
    expectEqual(realm.objects(Order.self).count, 1)
    let problem = try #require(realm.replicaState?.problem)
    expectEqual(problem.code, .fail)
    expectEqual(
      problem.message,
      "Unsupported schema changes were made by another client or process: the file is at schema "
        + "version 1 now, and was opened at 0. Close the realm and open it with the new version.")
    // The file that is shown may be deleted now: who reads goes on.
    try FileManager.default.removeItem(at: test.folder.file(PublicationName(position: 1)))
    let configuration = realm.configuration
    let threads = (0..<8).map { _ in
      startThread {
        for _ in 0..<50 {
          let realm = try Realm(configuration: configuration)
          for _ in realm.objects(Order.self) { expectEqual(realm.objects(Order.self).count, 1) }
        }
      }
    }
    for thread in threads { try thread.wait() }
    expectEqual(frozen.objects(Order.self).count, 1)
    // The original was restored to a time before.
    try FileManager.default.removeItem(at: test.primary.file)
    try publish(6)
    realm.refresh()
    expectEqual(realm.objects(Order.self).count, 6)
  }

  @Test func `New classes and indexes are shown at once, and missing ones are not`() throws {
    let realm = try open()
    try publish(2, types: [Order.self, Customer.self])
    realm.refresh()
    expectEqual(realm.objects(Order.self).count, 2)
  }

  @Test func `A version without the table of a class is not shown`() throws {
    try publish(2, types: [Order.self, Customer.self])
    let realm = try open([Order.self, Customer.self])
    // The original was restored to a time before it had the class.
    try FileManager.default.removeItem(at: test.primary.file)
    try publish(3)
    expectFalse(realm.refresh())
    expectEqual(realm.objects(Order.self).count, 2)
    expectTrue(realm.objects(Customer.self).isEmpty)
    let problem = try #require(realm.replicaState?.problem)
    expectEqual(problem.code, .fail)
    expectEqual(
      problem.message,
      "The version '0000000000000003' of the replica has no table for class 'Customer', which the "
        + "version before it had. Close the realm and open it again.")
  }

  @Test func `A follower that is killed at any step leaves a whole version`() throws {
    // The steps of a publication, each as the last one that was done.
    let realm = try open()
    let orders = realm.objects(Order.self)
    try publish(2)
    realm.refresh()
    let folder = test.folder
    let whole = try Data(contentsOf: folder.file(PublicationName(position: 2)))
    let part = folder.url.appendingPathComponent(".0000000000000003.part")
    let named = folder.file(PublicationName(position: 3))
    let currentPart = folder.url.appendingPathComponent(".current.part")
    let steps: [(String, () throws -> Void)] = [
      ("half a file", { try whole.prefix(whole.count / 2).write(to: part) }),
      ("the whole file", { try whole.write(to: part) }),
      ("its name", { try FileManager.default.moveItem(at: part, to: named) }),
      ("half a name", { try Data("000".utf8).write(to: currentPart) }),
      ("the whole name", { try Data("0000000000000003\n".utf8).write(to: currentPart) }),
    ]
    for (step, work) in steps {
      try work()
      expectFalse(realm.refresh(), "\(step)")
      expectEqual(orders.count, 2, "\(step)")
      expectNil(realm.replicaState?.problem, "\(step)")
      let other = try Realm(configuration: test.configuration([Order.self]))
      expectEqual(other.objects(Order.self).count, 2, "\(step)")
    }
    try publish(3)
    realm.refresh()
    expectEqual(orders.count, 3)
    expectEqual(realm.replicaState?.version, "0000000000000003-2")
  }

  @Test func `Health says how far a replica is behind, and what it can't show`() async throws {
    let configuration = test.configuration([Order.self])
    let realm = try await Realm.open(configuration: configuration)
    // The lag is unknown.
    await expectNil(Realm.health(of: configuration))
    var state = FollowerState(source: "s3://bucket/orders")
    state.position = "0000000000000001"
    state.checkedAt = Date(timeIntervalSinceNow: -40)
    try test.folder.write(state)
    await expectNil(Realm.health(of: configuration, longestLag: .seconds(600)))
    guard case .lag(let lag) = await Realm.health(of: configuration) else {
      Issue.record("no lag")
      return
    }
    expectTrue(lag >= .seconds(39))
    expectEqual(HealthProblem.lag(.seconds(41)).description, "The replica is 41 s behind.")
    state.problem = "The follower can't read 's3://bucket/orders': no such bucket"
    try test.folder.write(state)
    guard case .cannotRead(let error) = await Realm.health(of: configuration) else {
      Issue.record("no problem")
      return
    }
    expectEqual(error.message, state.problem)
    withExtendedLifetime(realm) {}
  }

  @Test func `What the follower says of the original is passed on`() throws {
    let realm = try open()
    var state = FollowerState(source: "s3://bucket/orders")
    state.position = "0000000000000001"
    let checked = Date(timeIntervalSince1970: 1_795_464_000)
    state.checkedAt = checked
    state.sentAt = checked.addingTimeInterval(-5)
    try test.folder.write(state)
    expectEqual(realm.replicaState?.lag(at: checked.addingTimeInterval(3)), .seconds(3))
    expectEqual(realm.replicaState?.lag(at: checked.addingTimeInterval(-3)), .zero)
    // A clock was wrong: how old it is, isn't known.
    expectNil(realm.replicaState?.lag(at: checked.addingTimeInterval(-86_400)))
    expectEqual(realm.replicaState?.sentAt, state.sentAt)
    state.problem = "The follower can't read 's3://bucket/orders': no such bucket"
    try test.folder.write(state)
    expectEqual(realm.replicaState?.problem?.message, state.problem)
    expectEqual(realm.replicaState?.problem?.code, .fileAccess)
    // The state of a newer version doesn't apply to this one.
    state.problem = nil
    state.position = "0000000000000002"
    state.checkedAt = checked.addingTimeInterval(100)
    try test.folder.write(state)
    expectEqual(realm.replicaState?.checkedAt, checked)
    expectNil(realm.replicaState?.problem)
  }

  @Test func `How far it is behind is known before the follower speaks of a new version`() throws {
    let realm = try open()
    var state = FollowerState(source: "s3://bucket/orders")
    state.position = "0000000000000001"
    state.checkedAt = Date(timeIntervalSinceNow: -3_600)
    try test.folder.write(state)
    try publish(2)
    realm.refresh()
    let shown = try #require(realm.replicaState)
    expectEqual(shown.version, "0000000000000002")
    try expectTrue(#require(shown.lag()) >= .seconds(3_599))
    expectNil(shown.sentAt)
    state.position = shown.version
    state.checkedAt = Date()
    try test.folder.write(state)
    try expectTrue(#require(realm.replicaState?.lag()) < .seconds(600))
  }
}
