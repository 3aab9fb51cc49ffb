import Dispatch
import Foundation
import GRDB
import InMemoryLogging
import Logging
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

private typealias Person = Observed.Person

/// Other rules of observation.
@Suite struct ObservingRulesTests {
  let folder: TestFolder
  let configuration: Realm.Configuration
  let log: InMemoryLogHandler

  init() throws {
    folder = try TestFolder()
    let handler = InMemoryLogHandler()
    log = handler
    var configuration = folder.configuration(Observed.types)
    configuration.logger = Logger(label: "test") { _ in handler }
    self.configuration = configuration
  }

  private func write(_ body: @escaping @Sendable (Realm) throws -> Void) throws {
    try inThread(configuration) { realm in
      try realm.write { try body(realm) }
    }
  }

  @Test func `The log says once that a thread must ask for what it observes`() throws {
    let realm = try Realm(configuration: configuration)
    let tokens = (0..<3).map { _ in realm.objects(Person.self).observe { _ in } }
    let notices = log.entries.filter { $0.level == .notice }.map { "\($0.message)" }
    expectEqual(notices.count { $0.contains("which can't be woken") }, 1)
    for token in tokens { token.invalidate() }
  }

  @Test func `The realm hears first, then observations in the order of their beginning`() throws {
    let realm = try Realm(configuration: configuration)
    let heard = Heard<String>()
    let people = realm.objects(Person.self)
    var tokens = [people.observe { _ in heard.add("1 \(people.count)") }]
    tokens.append(realm.observe { _, realm in heard.add("realm \(people.count)") })
    tokens.append(people.observe { _ in heard.add("2 \(people.count)") })
    tokens.append(people.filter("age > 1").observe { _ in heard.add("3 \(people.count)") })
    realm.refresh()
    expectEqual(heard.all.filter { $0 != "realm 0" }, ["1 0", "2 0", "3 0"])
    try write { $0.add(Observed.person(1, age: 5)) }
    let before = heard.all.count
    realm.refresh()
    expectEqual(heard.all.dropFirst(before), ["realm 1", "1 1", "2 1", "3 1"])
    for token in tokens { token.invalidate() }
  }

  @Test func `What a handler of the realm writes calls no handler of the realm again`() throws {
    let realm = try Realm(configuration: configuration)
    let heard = Heard<String>()
    let people = realm.objects(Person.self)
    let tokens = [
      realm.observe { _, realm in
        heard.add("first \(people.count)")
        guard heard.all.count < 9 else { return }
        #expect(throws: Never.self) {
          try realm.write { realm.add(Observed.person(heard.all.count)) }
        }
      },
      realm.observe { _, _ in heard.add("second \(people.count)") },
    ]
    try realm.write { realm.add(Observed.person(100)) }
    expectEqual(heard.all, ["first 1", "second 2"])
    try write { $0.add(Observed.person(200)) }
    realm.refresh()
    realm.refresh()
    expectEqual(heard.all.dropFirst(2), ["first 3", "second 4"])
    for token in tokens { token.invalidate() }
  }

  @MainActor @Test
  func `Without autorefresh a realm tells what has changed when it writes or refreshes`()
    async throws
  {
    let realm = try Realm(configuration: configuration)
    let heard = Heard<String>()
    let changes = Heard<Change>()
    let people = realm.objects(Person.self)
    let other = people.observe { changes.add(Change($0)) }
    _ = try await changes.arrival(of: 1)
    realm.autorefresh = false
    try realm.write { realm.add(Observed.person(1)) }
    try await expectEqual(changes.arrival(of: 2).last, .update(1, [], [0], []))
    let token = realm.observe { notification, _ in heard.add("\(notification)") }
    try write { $0.add(Observed.person(2)) }
    try await expectEqual(heard.arrival(of: 1), ["refreshRequired"])
    expectEqual(changes.all.count, 2)
    realm.beginWrite()
    expectEqual(heard.all, ["refreshRequired", "didChange"])
    expectEqual(changes.all.dropFirst(2), [.update(2, [], [1], [])])
    realm.cancelWrite()
    try write { $0.add(Observed.person(3)) }
    try await expectEqual(heard.arrival(of: 3).last, "refreshRequired")
    expectTrue(people.count == 2 && changes.all.count == 3)
    expectTrue(realm.refresh())
    expectEqual(changes.all.dropFirst(3), [.update(3, [], [2], [])])
    expectEqual(heard.all.dropFirst(3), ["didChange"])
    for token in [token, other] { token.invalidate() }
  }

  @Test func `What is observed in a handler begins with a turn of its own`() throws {
    let queue = DispatchQueue(label: "turns")
    let realm = try Realm(configuration: configuration)
    let heard = Heard<String>()
    let kept = Heard<NotificationToken>()
    let configuration = configuration
    let token = realm.objects(Person.self).observe(on: queue) { change in
      heard.add("outer \(Change(change))")
      guard kept.all.isEmpty else { return }
      do {
        let inner = try Realm(configuration: configuration).objects(Person.self)
        kept.add(inner.observe(on: queue) { heard.add("inner \(Change($0))") })
      } catch {
        Issue.record(error)
      }
      heard.add("end")
    }
    expectEqual(heard.wait(for: 3), ["outer initial(0)", "end", "inner initial(0)"])
    try realm.write { realm.add(Observed.person(1)) }
    expectEqual(
      heard.wait(for: 5).suffix(2).sorted(),
      [
        "inner update(1, [], [0], [])", "outer update(1, [], [0], [])",
      ])
    for token in kept.all + [token] { token.invalidate() }
  }

  @Test func `A task that was cancelled observes nothing`() async throws {
    let configuration = configuration
    let task = Task { @MainActor in
      while !Task.isCancelled { await Task.yield() }
      let realm = try Realm(configuration: configuration)
      return await realm.objects(Person.self).observe(on: MainActor.shared) { _, change in
        Issue.record("\(change)")
      }
    }
    task.cancel()
    try await expectFalse(task.value.invalidate())
  }

  @Test func `When nothing can be read any more, observations end with the reason`() throws {
    let queue = DispatchQueue(label: "unreadable")
    let realm = try Realm(configuration: configuration)
    let ada = try realm.write {
      let ada = Observed.person(1)
      realm.add(ada)
      return ada
    }
    let heard = Heard<String>()
    let errors = Heard<String>()
    func add<C>(_ name: String, _ change: RealmCollectionChange<C>) {
      if case .error(let error) = change { errors.add("\(name) \(error)") } else { heard.add(name) }
    }
    let tokens = [
      realm.objects(Person.self).observe(on: queue) { add("results", $0) },
      ada.numbers.observe(on: queue) { add("list", $0) },
      ada.observe(on: queue) { change in
        if case .error(let error) = change { errors.add("object \(error)") }
      },
    ]
    _ = heard.wait(for: 2)
    // As another program would that knows nothing of the classes.
    try folder.execute("DROP TABLE Person")
    expectTrue(errors.wait(for: 3).allSatisfy { $0.contains("no such table: ") })
    expectEqual(Set(errors.all.map { $0.prefix { $0 != " " } }), ["results", "list", "object"])
    expectTrue(log.entries.contains { "\($0.message)".hasPrefix("An observation ends: ") })
    for token in tokens { expectFalse(token.invalidate()) }
    folder.isDamaged = true
  }

  @Test func `A loop throws when nothing can be read any more`() async throws {
    let configuration = configuration
    try write { $0.add(Observed.person(1)) }
    let heard = Heard<Int>()
    let task = Task {
      let realm = try Realm(configuration: configuration)
      for try await _ in realm.objects(Person.self).changes() { heard.add(1) }
    }
    _ = try await heard.arrival(of: 1)
    try folder.execute("DROP TABLE Person")
    let error = await #expect(throws: Realm.Error.self) { try await task.value }
    expectEqual(error?.message.contains("no such table"), true)
    folder.isDamaged = true
  }

  @Test(.timeLimit(.minutes(2)))
  func `A loop over a realm throws when another process has migrated the file`() async throws {
    try folder.open(Observed.types) { _ in }
    var changes = try Realm(configuration: configuration).changes.makeAsyncIterator()
    let file = folder.file
    async let migration: Void = {
      // It waits by then.
      try await Task.sleep(for: .milliseconds(300))
      let other = try DatabaseQueue.otherProgram(at: file)
      try await other.writeWithoutTransaction {
        try $0.execute(sql: "UPDATE strata_schema_version SET version = 7")
      }
      try other.close()
    }()
    let error = await #expect(throws: Realm.Error.self) {
      while try await changes.next() != nil {}
    }
    expectEqual(error?.message.contains("Unsupported schema changes were made by another"), true)
    try await expectNil(changes.next())
    try await migration
  }

  @Test func `A process that never writes hears that another one has migrated the file`() throws {
    try folder.open(Observed.types) { _ in }
    let heard = Heard<Change>()
    let token = try Realm(configuration: configuration).objects(Person.self)
      .observe(on: DispatchQueue(label: "reads")) { heard.add(Change($0)) }
    expectEqual(heard.wait(for: 1), [.initial(0)])
    try folder.execute("UPDATE strata_schema_version SET version = 7")
    guard case .error(let error)? = heard.wait(for: 2).last else {
      Issue.record("\(heard.all)")
      return
    }
    expectTrue(error.contains("Unsupported schema changes were made by another client"))
    expectFalse(token.invalidate())
  }

  @Test func `A file whose observation goes on isn't restored`() throws {
    try folder.execute("CREATE TABLE other(x)")
    var configuration = configuration
    configuration.schemaVersion = 1
    configuration.migrationBlock = { _, _ in }
    configuration.migrationBackup = MigrationBackup(keeping: 1)
    try folder.open(Observed.types) { _ in }
    let token = try Realm(configuration: configuration).objects(Person.self)
      .observe(on: DispatchQueue(label: "kept")) { _ in }
    let backup = try #require(try Realm.backups(for: configuration).first)
    expectError(code: .alreadyOpen) {
      try Realm.restoreBackup(backup, for: configuration)
    }
    token.invalidate()
    // The queue of the handler may still have its realm.
    try expectTrue(
      blockUntil {
        do {
          try Realm.restoreBackup(backup, for: configuration)
          return true
        } catch let error as Realm.Error where error.code == .alreadyOpen {
          return false
        }
      })
    try expectEqual(schemaVersionAtURL(folder.file), 0)
  }

  #if os(Linux)
    @Test func `A commit for which no version can be kept succeeds, and is told later`()
      async throws
    {
      // In a process of its own, because the limit applies to the whole process.
      let path = folder.url.path
      await #expect(processExitsWith: .success) { [path = path as String] in
        try ObservingRulesTests.commitWithoutDescriptors(TestFolder(ofParent: path))
      }
      let realm = try Realm(configuration: configuration)
      expectEqual(realm.objects(Person.self).count, 3)
    }

    private static func commitWithoutDescriptors(_ folder: TestFolder) throws {
      let handler = InMemoryLogHandler()
      var configuration = folder.configuration(Observed.types)
      configuration.logger = Logger(label: "test") { _ in handler }
      let realm = try Realm(configuration: configuration)
      let heard = Heard<Change>()
      let queue = DispatchQueue(label: "later")
      let token = realm.objects(Person.self).observe(on: queue) { heard.add(Change($0)) }
      _ = heard.wait(for: 1)
      let person = Observed.person(1)
      try realm.write { realm.add(person) }
      _ = heard.wait(for: 2)
      // Each keeps the connection of its version, and the observation goes on to it, so that the
      // next version needs another connection.
      let frozen = try (1...8).map { age in
        try realm.write { person.age = age }
        _ = heard.wait(for: 2 + age)
        queue.sync {}
        return realm.freeze()
      }
      let before = heard.all.count
      var limit = rlimit()
      expectEqual(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit), 0)
      let usual = limit.rlim_cur
      limit.rlim_cur = 3
      expectEqual(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit), 0)
      try realm.write { realm.add(Observed.person(2)) }
      try realm.write { realm.add(Observed.person(3)) }
      expectEqual(heard.all.count, before)
      limit.rlim_cur = usual
      expectEqual(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit), 0)
      expectEqual(heard.wait(for: before + 1).last, .update(3, [], [1, 2], []))
      expectTrue(
        handler.entries.contains { "\($0.message)".contains("can't be kept for observations") })
      withExtendedLifetime(frozen) {}
      token.invalidate()
    }
  #endif
}
