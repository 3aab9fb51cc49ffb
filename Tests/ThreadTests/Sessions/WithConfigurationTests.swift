import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private final class Person: Object {
  @Persisted var name = ""
}

private actor Reader {
  func path() -> URL? { Realm.Configuration.current.fileURL }

  /// The file that a realm of this actor is opened in.
  func opened() async throws -> URL? { try await Realm(actor: self).configuration.fileURL }

  /// Whether a closure runs on this actor, and what it sees.
  func inside(_ configuration: Realm.Configuration) async throws -> URL? {
    try await Realm.withConfiguration(configuration) {
      self.assertIsolated()
      return try await Realm.open().configuration.fileURL
    }
  }
}

@Suite("Configurations of tasks")
struct WithConfigurationTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func configuration(_ name: String) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("\(name).sqlite"), objectTypes: [Person.self])
  }

  private static func here() -> String? {
    Realm.Configuration.current.fileURL?.deletingPathExtension().lastPathComponent
  }

  /// A synchronous function, for asynchronous tests.
  private static func sync(
    _ configuration: Realm.Configuration, _ body: () throws -> Void
  ) rethrows {
    try Realm.withConfiguration(configuration, operation: body)
  }

  @Test func `A realm without a configuration takes that of the closure`() throws {
    try Realm.withConfiguration(configuration("a")) {
      let realm = try Realm()
      try realm.write { realm.create(Person.self, value: ["Ada"]) }
      expectEqual(realm.configuration.fileURL, configuration("a").fileURL)
      try expectEqual(Realm(queue: nil).configuration.fileURL, configuration("a").fileURL)
    }
    expectTrue(Realm.fileExists(for: configuration("a")))
    try expectEqual(Realm(configuration: configuration("a")).objects(Person.self).count, 1)
  }

  @Test func `Nothing is opened by it, and the result is handed out`() throws {
    let name = Realm.withConfiguration(configuration("a")) { Self.here() }
    expectEqual(name, "a")
    expectFalse(Realm.fileExists(for: configuration("a")))
  }

  @Test func `The inner one holds, and the outer one again after an error`() throws {
    struct Failure: Error {}
    Realm.withConfiguration(configuration("a")) {
      #expect(throws: Failure.self) {
        try Realm.withConfiguration(configuration("b")) {
          expectEqual(Self.here(), "b")
          throw Failure()
        }
      }
      expectEqual(Self.here(), "a")
    }
    expectEqual(Self.here(), "default")
  }

  @Test func `A configuration that is given is used`() throws {
    try Realm.withConfiguration(configuration("a")) {
      let realm = try Realm(configuration: configuration("b"))
      expectEqual(realm.configuration.fileURL, configuration("b").fileURL)
    }
    expectFalse(Realm.fileExists(for: configuration("a")))
  }

  @Test func `A URL takes the other settings of the closure`() throws {
    var configuration = configuration("a")
    configuration.schemaVersion = 7
    let other = self.configuration("b").fileURL!
    try Realm.withConfiguration(configuration) {
      _ = try Realm(fileURL: other)
      try expectEqual(schemaVersionAtURL(other), 7)
    }
  }

  @Test func `Functions of files take it`() throws {
    try Realm.withConfiguration(configuration("a")) {
      try Realm.performMigration()
      try expectTrue(Realm.problems().isEmpty)
      try expectTrue(Realm.migrationForecast().obstacles.isEmpty)
    }
    expectTrue(Realm.fileExists(for: configuration("a")))
  }

  @Test func `All ways to open asynchronously take it`() async throws {
    let expected = configuration("a").fileURL
    try await Realm.withConfiguration(configuration("a")) {
      let own = try await Realm.open()
      expectEqual(own.configuration.fileURL, expected)
      let ofMain = try await { @MainActor in
        try await Realm(downloadBeforeOpen: .never).configuration.fileURL
      }()
      expectEqual(ofMain, expected)
      try await expectEqual(Reader().opened(), expected)
      for try await case .open(let realm) in Realm.opening() {
        expectEqual(realm.configuration.fileURL, expected)
      }
      let ofQueue = try await withCheckedThrowingContinuation { continuation in
        Realm.asyncOpen(callbackQueue: DispatchQueue(label: "strata.test")) { result in
          continuation.resume(with: result.map(\.configuration.fileURL))
        }
      }
      expectEqual(ofQueue, expected)
    }
  }

  @Test func `Tasks that are made inside have it, for as long as they run`() async throws {
    let (go, opener) = AsyncStream<Void>.makeStream()
    let task = await Realm.withConfiguration(configuration("a")) {
      async let child = Self.here()
      await expectEqual(child, "a")
      let names = await withTaskGroup(of: String?.self) { group in
        for _ in 0..<4 { group.addTask { Self.here() } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      expectEqual(names, ["a", "a", "a", "a"])
      return Task {
        for await _ in go { break }
        return Self.here()
      }
    }
    expectEqual(Self.here(), "default")
    opener.yield()
    await expectEqual(task.value, "a")
  }

  @Test func `Many tenants at once each have their own`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        let configuration = configuration("tenant-\(number)")
        group.addTask {
          try await Realm.withConfiguration(configuration) {
            for _ in 0..<10 {
              let realm = try await Realm.open()
              try await realm.asyncWrite { _ = realm.create(Person.self, value: ["\(number)"]) }
              await Task.yield()
            }
            let realm = try await Realm.open()
            expectEqual(
              realm.objects(Person.self).map(\.name), .init(repeating: "\(number)", count: 10))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `A detached task, a thread and a queue don't have it`() async throws {
    let configuration = configuration("a")
    await Realm.withConfiguration(configuration) {
      await expectEqual(Task.detached { Self.here() }.value, "default")
      #expect(throws: Never.self) { try inThread { expectEqual(Self.here(), "default") } }
      let ofQueue = await withCheckedContinuation { continuation in
        DispatchQueue(label: "strata.test").async { continuation.resume(returning: Self.here()) }
      }
      expectEqual(ofQueue, "default")
      let current = Realm.Configuration.current
      let given = await Task.detached { Realm.withConfiguration(current) { Self.here() } }.value
      expectEqual(given, "a")
    }
  }

  @Test func `The closure stays on its actor, and other actors have it`() async throws {
    let reader = Reader()
    try await expectEqual(reader.inside(configuration("a")), configuration("a").fileURL)
    await Realm.withConfiguration(configuration("b")) {
      await expectEqual(reader.path(), configuration("b").fileURL)
    }
    await expectEqual(reader.path()?.lastPathComponent, "default.sqlite")
  }

  @MainActor @Test func `A realm of the main actor goes in and out`() async throws {
    let realm = try Realm.withConfiguration(configuration("a")) {
      MainActor.assertIsolated()
      let realm = try Realm()
      try realm.write { _ = realm.create(Person.self, value: ["Ada"]) }
      return realm
    }
    expectEqual(realm.objects(Person.self).first?.name, "Ada")
    try expectEqual(Realm(configuration: realm.configuration), realm)
  }

  @Test func `A synchronous function in a task has it`() async throws {
    try Self.sync(configuration("a")) {
      _ = try Realm()
      expectEqual(Self.here(), "a")
    }
  }
}
