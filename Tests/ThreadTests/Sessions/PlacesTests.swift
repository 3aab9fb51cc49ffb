import Foundation
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import Strata

/// A value that a test takes to another thread although it may not go there.
private struct Smuggled<Value>: @unchecked Sendable {
  let value: Value
}

private final class Person: Object {
  @Persisted var name = ""
}

private actor Keeper {
  private let configuration: Realm.Configuration
  private var realm: Realm?

  init(_ configuration: Realm.Configuration) {
    self.configuration = configuration
  }

  func open() async throws {
    realm = try await Realm.open(configuration: configuration)
  }

  func add(_ name: String) throws {
    try realm?.write { _ = realm?.create(Person.self, value: [name]) }
  }

  /// Whether `Realm()` inside of the actor's transaction is the one that writes.
  func findsItself() throws -> Bool {
    try realm?.write { try Realm(configuration: configuration) == realm } ?? false
  }

  /// The error of a realm in the task that writes inside of the actor's transaction.
  func nested() throws -> String? {
    let own = try Realm(configuration: configuration)
    do {
      try realm?.write { try own.write {} }
      return nil
    } catch let error as Realm.Error {
      return error.message
    }
  }
}

@MainActor private final class Window {
  let realm: Realm

  init(_ configuration: Realm.Configuration) throws {
    realm = try Realm(configuration: configuration)
  }

  func add(_ name: String) throws {
    try realm.write { _ = realm.create(Person.self, value: [name]) }
  }
}

@Suite("Realms belong to places", .timeLimit(.minutes(40)))
struct PlacesTests {
  let folder: TestFolder
  let configuration: Realm.Configuration
  private static let incorrect = "Realm accessed from incorrect thread. It belongs to "

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration([Person.self])
  }

  private func names() throws -> [String] {
    try Realm(configuration: configuration).objects(Person.self).map(\.name)
  }

  private static func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? Realm.Error)?.message
    }
  }

  @Test func `A realm of one task that is sent to another one is an error, and never a hang`()
    async throws
  {
    let configuration = configuration
    for round in 0..<20 {
      let first = try Realm(configuration: configuration)
      let second = try Realm(configuration: configuration)
      let other = Task.detached {
        Self.message { try first.write { _ = first.create(Person.self, value: ["other"]) } }
      }
      try second.write { _ = second.create(Person.self, value: ["\(round)"]) }
      let message = try #require(await other.value)
      expectTrue(message.hasPrefix(Self.incorrect + "task "))
      expectTrue(message.contains("Open another one there with 'Realm()'"))
    }
    try expectEqual(names(), (0..<20).map { "\($0)" })
  }

  @Test func `A child task is a task of its own`() async throws {
    let configuration = configuration
    let realm = Smuggled(value: try Realm(configuration: configuration))
    async let refused = Self.message { try realm.value.write {} }
    try expectTrue(#require(await refused).hasPrefix(Self.incorrect))
    async let added: Void = Realm(configuration: configuration).write {
      _ = try Realm(configuration: configuration).create(Person.self, value: ["child"])
    }
    try await added
    try expectEqual(names(), ["child"])
  }

  @Test func `A task keeps its realm on every thread that runs it`() async throws {
    let realm = try Realm(configuration: configuration)
    let person = try realm.write { realm.create(Person.self) }
    for number in 1...50 {
      try await Task.sleep(for: .microseconds(100))
      try realm.write { _ = realm.create(Person.self) }
      try await realm.asyncWrite { person.name = "\(number)" }
      expectTrue(person.name == "\(number)" && realm.objects(Person.self).count == number + 1)
    }
  }

  @Test func `A thread may use its realm on queues that it waits for`() throws {
    try inThread(configuration) { realm in
      let queue = DispatchQueue(label: "waited for")
      try queue.sync { try realm.write { _ = realm.create(Person.self, value: ["sync"]) } }
    }
    try expectEqual(names(), ["sync"])
  }

  @Test func `A realm of one thread is refused on another one`() throws {
    let configuration = configuration
    try inThread {
      let realm = Smuggled(value: try Realm(configuration: configuration))
      try inThread {
        let message = Self.message { try realm.value.write {} }
        expectEqual(message?.hasPrefix(Self.incorrect + "thread "), true)
        expectEqual(message?.contains("is used in thread "), true)
        expectEqual(Self.message { try realm.value.commitWrite() }?.hasPrefix(Self.incorrect), true)
        let asked = Self.message { try realm.value.withDatabase { _ in } }
        expectEqual(asked?.hasPrefix(Self.incorrect), true)
      }
    }
  }

  @Test func `Reading at another place is reported, once`() throws {
    let sent = Mutex<Smuggled<(Realm, Person)>?>(nil)
    try inThread(configuration) { realm in
      let ada = try realm.write { realm.create(Person.self, value: ["Ada"]) }
      sent.withLock { $0 = Smuggled(value: (realm, ada)) }
    }
    let (realm, ada) = try #require(sent.withLock { $0 }).value
    expectIssue(Self.incorrect + "thread ") {
      // Properties report it in builds for debugging only.
      #if DEBUG
        expectEqual(ada.name, "Ada")
      #else
        expectEqual(realm.objects(Person.self).count, 1)
      #endif
    }
    expectTrue(realm.objects(Person.self).count == 1 && ada.name == "Ada")
  }

  @Test func `An actor shares the realm that it opened among its tasks`() async throws {
    let keeper = Keeper(configuration)
    try await keeper.open()
    for name in ["a", "b", "c"] { try await Task.detached { try await keeper.add(name) }.value }
    try expectEqual(names(), ["a", "b", "c"])
    try await expectTrue(keeper.findsItself())
  }

  @Test func `A write that would wait for itself is an error`() async throws {
    let keeper = Keeper(configuration)
    try await keeper.open()
    let message = try await keeper.nested()
    expectEqual(
      message?.hasPrefix("The Realm is already in a write transaction. Another realm"), true)
    let realm = try Realm(configuration: configuration)
    let nested = Self.message {
      try realm.write { try Realm(configuration: configuration).write {} }
    }
    expectEqual(nested, "The Realm is already in a write transaction.")
  }

  @Test func `The main actor has one realm, whatever task is on it`() async throws {
    let configuration = configuration
    let window = try await Window(configuration)
    for name in ["a", "b"] { try await Task.detached { try await window.add(name) }.value }
    try await expectTrue(MainActor.run { try Realm(configuration: configuration) == window.realm })
    try expectEqual(names(), ["a", "b"])
  }

  @Test func `A queue keeps the realm that it got, and no other one may use it`() async throws {
    let configuration = configuration
    let queue = DispatchQueue(label: "of a realm")
    let realm = await withCheckedContinuation { continuation in
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        continuation.resume(returning: Smuggled(value: result))
      }
    }
    let opened = Smuggled(value: try realm.value.get())
    for name in ["a", "b"] {
      let message = await withCheckedContinuation { continuation in
        queue.async {
          continuation.resume(
            returning: Self.message {
              let realm = opened.value
              try realm.write { _ = realm.create(Person.self, value: [name]) }
              try expectEqual(Realm(configuration: configuration), realm)
            })
        }
      }
      expectNil(message)
    }
    let refused = Self.message { try opened.value.write {} }
    expectEqual(refused?.hasPrefix(Self.incorrect + "queue 'of a realm'"), true)
    try expectEqual(names(), ["a", "b"])
  }
}
