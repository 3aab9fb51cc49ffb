import Foundation
import GRDB
import StrataStorage
import StrataTestKit
import TestKit
import Testing

@testable import Strata

private final class Order: Object {
  @Persisted var number = 0
  @Persisted var items: List<String>
}

private final class Customer: Object {
  @Persisted var name = ""
}

@Suite struct ReplicaOpeningTests {
  let test: TestReplica

  init() throws {
    test = try TestReplica()
  }

  private func publish(_ count: Int, version: UInt64 = 0) throws {
    try test.write([Order.self], version: version) { realm in
      realm.deleteAll()
      for number in 0..<count { realm.create(Order.self, value: ["number": number]) }
    }
    try test.publish()
  }

  private func open(
    version: UInt64 = 0, patience: Duration = .zero,
    _ change: (inout Realm.Configuration) -> Void = { _ in }
  ) throws -> Realm {
    var configuration = test.configuration([Order.self], version: version, patience: patience)
    change(&configuration)
    return try Realm(configuration: configuration)
  }

  private func error(
    version: UInt64 = 0, _ change: (inout Realm.Configuration) -> Void = { _ in }
  ) throws -> Realm.Error {
    try #require(throws: Realm.Error.self) { try open(version: version, change) }
  }

  @Test func `The newest publication is opened`() throws {
    try publish(1)
    try publish(3)
    let realm = try open()
    expectEqual(realm.objects(Order.self).count, 3)
    expectTrue(realm.configuration.readOnly)
    expectNil(realm.configuration.fileURL)
    let state = try #require(realm.replicaState)
    expectEqual(state.version, "0000000000000002")
    expectTrue(abs(state.publishedAt.timeIntervalSinceNow) < 600)
    expectNil(state.problem)
    expectNil(state.lag())
    // Another realm of the place shows the same, and one of another path of the folder.
    let link = test.primary.url.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: test.folder.url)
    let other = try open { $0.replica?.folder = link }
    expectTrue(other.session.store === realm.session.store)
  }

  @Test func `No file is left beside a publication, and no byte of it is changed`() throws {
    try publish(2)
    let file = test.folder.file(PublicationName(position: 1))
    let before = try Data(contentsOf: file)
    let names = try test.fileNames
    do {
      let realm = try open()
      expectEqual(realm.objects(Order.self).map(\.number), [0, 1])
      try expectEqual(test.fileNames, names)
      try expectTrue(Realm.problems(for: realm.configuration).isEmpty)
      let copy = test.primary.url.appendingPathComponent("copy.sqlite")
      try Realm.makeBackup(at: copy, for: realm.configuration)
      let second = test.primary.url.appendingPathComponent("second.sqlite")
      try realm.writeCopy(toFile: second)
      for file in [copy, second] {
        let written = try Realm(
          configuration: Realm.Configuration(fileURL: file, objectTypes: [Order.self]))
        expectEqual(written.objects(Order.self).count, 2)
        try written.write { written.create(Order.self) }
      }
      try expectEqual(Realm.migrationForecast(for: realm.configuration).outcome, .nothing)
    }
    try expectEqual(test.fileNames, names)
    try expectEqual(Data(contentsOf: file), before)
  }

  @Test func `A realm of a replica is never changed`() throws {
    try publish(1)
    let realm = try open()
    let configuration = realm.configuration
    expectError(
      "Can't perform transactions on a replica: it shows the file of another machine. Write there, "
        + "or open a file of this machine.", code: .fail
    ) { try realm.write {} }
    let unchanged =
      "The replica in '\(test.folder.path)' belongs to `strata follow`: it can't be changed."
    expectError(unchanged, code: .fail) { try Realm.deleteFiles(for: configuration) }
    expectError(unchanged, code: .fail) {
      try Realm.restoreBackup(at: test.primary.file, for: configuration)
    }
    expectError(unchanged, code: .fail) { try realm.writeCopy(configuration: configuration) }
    expectError(
      "GRDB observes only changes by this process, and no process changes a replica. Use "
        + "`observe` or `changes()`.", code: .fail
    ) {
      _ = try realm.startObservation(
        of: ValueObservation.tracking { _ in 1 }, onError: { _ in }, onChange: { _ in })
    }
    expectTrue(Realm.fileExists(for: configuration))
    expectEqual(realm.objects(Order.self).count, 1)
  }

  @Test func `Settings that would change a file are refused`() throws {
    let settings: [(String, (inout Realm.Configuration) -> Void)] = [
      ("migrationBlock", { $0.migrationBlock = { _, _ in } }),
      ("migrationPlan", { $0.migrationPlan = SchemaMigrationPlan([]) }),
      ("deleteRealmIfMigrationNeeded", { $0.deleteRealmIfMigrationNeeded = true }),
      ("shouldCompactOnLaunch", { $0.shouldCompactOnLaunch = { _, _ in false } }),
      ("history", { $0.history = .init() }),
      ("seedFilePath", { [test] in $0.seedFilePath = test.primary.file }),
      (
        "convertsRealmFile",
        { [test] in $0.convertsRealmFile = .automatically(from: test.primary.file) }
      ),
    ]
    try publish(1)
    for (name, set) in settings {
      let error = try error(version: 0, set)
      expectEqual(error.code, .fail)
      expectEqual(
        error.message, "Cannot set `\(name)` when `replica` is set: a replica is never changed.")
    }
    let error = try error { $0.replica?.folder = URL(string: "https://example.org/a")! }
    expectEqual(
      error.message, "A replica is a folder: 'https://example.org/a' is not the URL of one.")
  }

  @Test func `Where a realm is has one answer`() throws {
    let place = Realm.Configuration.Replica(folder: test.folder.url)
    var configuration = Realm.Configuration(fileURL: test.primary.file)
    configuration.replica = place
    expectNil(configuration.fileURL)
    expectTrue(configuration.readOnly)
    expectTrue(configuration.description.hasPrefix("Realm.Configuration(replica: '/"))
    configuration.fileURL = test.primary.file
    expectNil(configuration.replica)
    expectFalse(configuration.readOnly)
    configuration.replica = place
    configuration.inMemoryIdentifier = "memory"
    expectNil(configuration.replica)
    // A replica is read-only whatever is set.
    try publish(1)
    let realm = try open { $0.readOnly = false }
    #expect(throws: Realm.Error.self) { try realm.write {} }
  }

  // MARK: Waiting

  @Test func `Opening waits for the first version`() throws {
    let configuration = test.configuration([Order.self], patience: .seconds(300))
    let opening = startThread(configuration) { realm in
      expectEqual(realm.objects(Order.self).count, 2)
    }
    usleep(300_000)
    try publish(2)
    try opening.wait()
  }

  @Test func `Opening waits for its schema version`() throws {
    try publish(1)
    let configuration = test.configuration([Order.self], version: 1, patience: .seconds(300))
    let opening = startThread(configuration) { realm in
      expectEqual(realm.objects(Order.self).count, 4)
    }
    usleep(300_000)
    try publish(4, version: 1)
    try opening.wait()
    let start = ContinuousClock.now
    let error = try error(version: 2) { $0.replica?.patience = .milliseconds(300) }
    expectTrue(ContinuousClock.now - start >= .milliseconds(300))
    expectEqual(error.message, "Provided schema version 2 does not equal last set version 1.")
  }

  @Test func `Waiting ends with the task`() async throws {
    let configuration = test.configuration([Order.self], patience: .seconds(10_000))
    let task = Task { () -> Bool in
      do {
        for try await _ in Realm.opening(configuration: configuration) {}
        return false
      } catch { return error is CancellationError }
    }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    await expectTrue(task.value)
  }

  // MARK: Errors

  @Test func `All errors of opening say what is wrong and where`() throws {
    let folder = test.folder
    func expect(
      _ code: Realm.Error.Code, _ message: String, version: UInt64 = 0,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let error = try error(version: version)
      expectEqual(error.code, code, sourceLocation: sourceLocation)
      expectEqual(error.message, message, sourceLocation: sourceLocation)
    }
    let none =
      "There is no version in the replica '\(folder.path)' yet: `strata follow` writes to it. Set "
      + "`patience` to wait for the first one."
    try expect(.fileNotFound, none)
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try expect(.fileNotFound, none)
    expectFalse(Realm.fileExists(for: test.configuration([Order.self])))
    let file = folder.file(PublicationName(position: 9))
    let start = "Failed to open Realm file at path '\(file.path)':"
    try Data("0000000000000009\n".utf8).write(to: folder.current)
    try expect(.fileNotFound, "\(start) No such file or directory")
    try Data().write(to: file)
    try expect(.invalidDatabase, "\(start) Read-only access to empty Realm file")
    try Data(repeating: 7, count: 8_192).write(to: file)
    try expect(
      .invalidDatabase,
      "\(start) it is not an SQLite database, or its first page is damaged, or it is encrypted, which "
        + "needs `encryptionKey`. A file of Realm itself is converted by `convertsRealmFile`.")
    try FileManager.default.removeItem(at: file)
    try publish(1)
    try expect(
      .fail, "Provided schema version 1 does not equal last set version 0.", version: 1)
    try publish(1, version: 3)
    try expect(.fail, "Provided schema version 0 does not equal last set version 3.")
    expectError("Provided schema version 0 does not equal last set version 3.") {
      try Realm(
        configuration: test.configuration([Order.self, Customer.self], version: 0))
    }
  }

  @Test func `A class without a table has no objects, as in other files that are only read`() throws
  {
    try publish(2)
    let realm = try Realm(configuration: test.configuration([Order.self, Customer.self]))
    expectTrue(realm.objects(Customer.self).isEmpty)
    expectEqual(realm.objects(Order.self).count, 2)
  }

  @Test func `Classes of the file need none of the program`() throws {
    try publish(2, version: 5)
    var configuration = Realm.Configuration(replica: .init(folder: test.folder.url))
    configuration.dynamicClasses = .all
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.dynamicObjects("Order").count, 2)
    try publish(3, version: 5)
    realm.refresh()
    expectEqual(realm.dynamicObjects("Order").count, 3)
  }

  // MARK: The past

  @Test func `A version of the past is opened for good`() throws {
    // Each was the newest one for an hour.
    let dates = (1...3).map { Date(timeIntervalSinceNow: Double($0 - 4) * 3_600) }
    for (index, date) in dates.enumerated() {
      try publish(index + 1)
      let file = test.folder.file(PublicationName(position: UInt64(index + 1)))
      try FileManager.default.setAttributes(
        [.modificationDate: date.addingTimeInterval(-60)], ofItemAtPath: file.path)
    }
    func count(_ date: Date) throws -> Int {
      try open { $0.replica?.asOf = date }.objects(Order.self).count
    }
    let counts = try dates.map { try count($0) }
    expectEqual(counts, [1, 2, 3])
    let realm = try open { [dates] in $0.replica?.asOf = dates[1] }
    let newest = try open()
    try publish(4)
    expectFalse(realm.refresh())
    newest.refresh()
    expectEqual(realm.objects(Order.self).count, 2)
    expectEqual(newest.objects(Order.self).count, 4)
    expectEqual(realm.replicaState?.version, "0000000000000002")
    let early = Date(timeIntervalSince1970: 1_795_464_000 - 1_000_000_000)
    let oldest = try #require(try test.folder.entries().first).publishedAt.inSentence
    let error = try error { $0.replica?.asOf = early }
    expectEqual(error.code, .fileNotFound)
    expectEqual(
      error.message,
      "The replica '\(test.folder.path)' has no version from before 1995-03-17 18:13:20: the oldest "
        + "one is of \(oldest).")
  }
}
