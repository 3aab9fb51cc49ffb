import Foundation
import GRDB
import Strata
import StrataTestKit
import Synchronization
import TestKit
import Testing

@Suite struct HealthTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `A file that is open is well, and one that isn't is not open`() async throws {
    let configuration = folder.configuration(Ledger.types)
    guard case .notOpen = await Realm.health(of: configuration) else {
      Issue.record("not open")
      return
    }
    let realm = try await Realm.open(configuration: configuration)
    try realm.write { realm.add(LedgerNote("a")) }
    await expectNil(Realm.health(of: configuration))
    expectEqual(realm.objects(LedgerNote.self).count, 1)
  }

  @Test func `A writer that doesn't end is told, in this process and another one`() async throws {
    let configuration = folder.configuration(Ledger.types)
    let realm = try await Realm.open(configuration: configuration)
    realm.beginWrite()
    guard
      case .writerBusy(let waited) = await Realm.health(
        of: configuration, within: .milliseconds(20))
    else {
      Issue.record("busy")
      return
    }
    expectEqual(waited, .milliseconds(20))
    realm.cancelWrite()
    await expectNil(Realm.health(of: configuration))
    try folder.sql { db in
      try db.beginTransaction(.immediate)
      defer { #expect(throws: Never.self) { try db.rollback() } }
      let result = Mailbox()
      Task.detached {
        result.put(await Realm.health(of: configuration, within: .milliseconds(20)))
      }
      expectEqual(result.take()?.description, "Others were writing for 20 ms.")
    }
    await expectNil(Realm.health(of: configuration))
  }

  @Test func `Another schema version and a deleted file are told`() async throws {
    let configuration = folder.configuration(Ledger.types)
    let realm = try await Realm.open(configuration: configuration)
    try folder.execute(
      "INSERT INTO strata_schema_version (version, schema, migrated_at) SELECT 7, schema, migrated_at FROM strata_schema_version"
    )
    guard case .otherSchemaVersion(7) = await Realm.health(of: configuration) else {
      Issue.record("other version")
      return
    }
    try folder.execute("DELETE FROM strata_schema_version WHERE version = 7")
    await expectNil(Realm.health(of: configuration))
    let file = try #require(configuration.fileURL)
    try FileManager.default.removeItem(at: file)
    for isReplaced in [false, true] {
      if isReplaced { try Data("other".utf8).write(to: file) }
      guard case .cannotRead(let error) = await Realm.health(of: configuration) else {
        Issue.record("a deleted file, replaced: \(isReplaced)")
        continue
      }
      expectEqual(error.code, .fileNotFound)
    }
    withExtendedLifetime(realm) {}
  }

  @Test func `A file is closed when its realms are released`() async throws {
    let configuration = folder.configuration(Ledger.types)
    try await Realm.close(configuration)
    let task = Task {
      let realm = try await Realm.open(configuration: configuration)
      try realm.write { realm.add(LedgerNote("a")) }
      // It is being closed by then.
      _ = try await Self.refusal(of: configuration)
      withExtendedLifetime(realm) {}
    }
    await expectTrue(eventually { FileManager.default.fileExists(atPath: folder.file.path) })
    try await Realm.close(configuration, within: .seconds(600))
    try await task.value
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    expectEqual(files, ["test.sqlite"])
    // It can be opened again.
    let count = try await Realm.open(configuration: configuration).objects(LedgerNote.self).count
    expectEqual(count, 1)
  }

  /// Opens a file until that is refused.
  private static func refusal(of configuration: Realm.Configuration) async throws -> Realm.Error {
    while true {
      do {
        _ = try await Realm.open(configuration: configuration)
        try await Task.sleep(for: .milliseconds(1))
      } catch let error as Realm.Error {
        return error
      }
    }
  }

  @Test func `A file that is being closed can't be opened, until its closing is cancelled`()
    async throws
  {
    let configuration = folder.configuration(Ledger.types)
    let realm = try await Realm.open(configuration: configuration)
    let closing = Task { try await Realm.close(configuration, within: .seconds(600)) }
    try await expectEqual(
      Self.refusal(of: configuration).message,
      "Realm at path '\(folder.file.path)' is being closed with 'Realm.close': open it again after "
        + "that.")
    closing.cancel()
    await #expect(throws: CancellationError.self) { try await closing.value }
    try await expectTrue(Realm.open(configuration: configuration).isEmpty)
    withExtendedLifetime(realm) {}
  }

  @Test func `Nobody waits for a migration to hear that a file isn't open, or isn't closed`()
    async throws
  {
    try folder.open(Ledger.types) { _ in }
    var configuration = folder.configuration(Ledger.types)
    configuration.schemaVersion = 2
    let migration = HeldMigration()
    configuration.migrationBlock = { _, _ in migration.hold() }
    let wanted = configuration
    let opening = Task {
      try await Realm.open(configuration: wanted).objects(LedgerNote.self).count
    }
    await expectTrue(eventually { migration.state != .notBegun })
    let problem = await Realm.health(of: wanted)
    let error = await #expect(throws: Realm.Error.self) {
      try await Realm.close(wanted, within: .milliseconds(20))
    }
    expectEqual(migration.state, .held)
    expectEqual(problem?.description, "The file is not open.")
    expectEqual(
      error?.message,
      "Realm at path '\(folder.file.path)' can't be closed: it is still held by another thread "
        + "that is opening it. Release its realms, results and tokens first.")
    migration.goOn()
    try await expectEqual(opening.value, 0)
    try await Realm.close(wanted)
  }

  @Test func `Those that hold a file are named`() async throws {
    let configuration = folder.configuration(Ledger.types)
    let realm = try await Realm.open(configuration: configuration)
    let error = await #expect(throws: Realm.Error.self) {
      try await Realm.close(configuration, within: .milliseconds(20))
    }
    expectEqual(error?.code, .alreadyOpen)
    expectEqual(error?.message.contains("can't be closed: it is still held by task"), true)
    try await expectTrue(Realm.open(configuration: configuration).isEmpty)
    withExtendedLifetime(realm) {}
  }
}

/// A migration that takes as long as a test wants.
private final class HeldMigration: Sendable {
  enum State { case notBegun, held, over }

  private let present = Mutex(State.notBegun)
  private let gate = DispatchSemaphore(value: 0)

  var state: State { present.withLock { $0 } }

  /// Waits, though not for ever in a test that fails.
  func hold() {
    present.withLock { $0 = .held }
    // All tests run beside each other: a task may have to wait for minutes.
    _ = gate.wait(timeout: .now() + 1_200)
    present.withLock { $0 = .over }
  }

  func goOn() { gate.signal() }
}

/// A result that a thread waits for.
private final class Mailbox: Sendable {
  private let arrived = DispatchSemaphore(value: 0)
  // guarded by: the semaphore.
  nonisolated(unsafe) private var problem: HealthProblem?

  func put(_ problem: HealthProblem?) {
    self.problem = problem
    arrived.signal()
  }

  func take() -> HealthProblem? {
    arrived.wait()
    return problem
  }
}
