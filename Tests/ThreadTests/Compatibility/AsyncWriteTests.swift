import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Dog = Pets.Dog

@globalActor private actor Kennel: GlobalActor {
  static let shared = Kennel()
}

/// An actor with a realm.
private actor Keeper {
  private var realm: Realm?
  private var dog: Dog?

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  var names: [String] { realm?.objects(Dog.self).map(\.name) ?? [] }

  func create(_ name: String) async throws {
    dog = try await realm?.asyncWrite { realm?.create(Dog.self, value: [name]) }
  }

  func rename(_ name: String) async throws {
    try await realm?.asyncWrite { dog?.name = name }
  }

  func close() {
    realm = nil
    dog = nil
  }
}

/// A thread with a transaction that lasts until `end()` is called. A closure of `write` never
/// counts as abandoned, however long other tests delay this one.
private final class OtherWriter: Sendable {
  private let mayEnd = DispatchSemaphore(value: 0)

  init(_ configuration: Realm.Configuration) throws {
    let hasBegun = DispatchSemaphore(value: 0)
    let mayEnd = mayEnd
    Thread.detachNewThread {
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write {
          hasBegun.signal()
          mayEnd.wait()
        }
      } catch {
        Issue.record(error)
        hasBegun.signal()
      }
    }
    hasBegun.wait()
  }

  func end() { mayEnd.signal() }
}

@MainActor @Suite("Writing without blocking", .timeLimit(.minutes(40)))
struct AsyncWriteTests {
  private let file: TestFile
  private let realm: Realm

  init() throws {
    file = try TestFile()
    realm = try Realm(configuration: file.configuration(Pets.types))
  }

  private var names: [String] { realm.objects(Dog.self).map(\.name) }

  @Test func `A write returns what its closure returns, and says that it is running`()
    async throws
  {
    let dog = try await realm.asyncWrite {
      expectTrue(realm.isInWriteTransaction && realm.isPerformingAsynchronousWriteOperations)
      return realm.create(Dog.self, value: ["Rex"])
    }
    expectTrue(!realm.isInWriteTransaction && !realm.isPerformingAsynchronousWriteOperations)
    expectTrue(dog.name == "Rex" && names == ["Rex"])
    try await realm.asyncWrite { dog.name = "Fido" }
    expectTrue(dog.name == "Fido" && names == ["Fido"])
  }

  @Test func `A closure may cancel its transaction, and begin again`() async throws {
    try await realm.asyncWrite {
      realm.create(Dog.self, value: ["Rex"])
      realm.cancelWrite()
      expectTrue(!realm.isInWriteTransaction && names == [])
      realm.beginWrite()
      realm.create(Dog.self, value: ["Fido"])
    }
    expectTrue(names == ["Fido"] && !realm.isInWriteTransaction)
  }

  @Test(arguments: [true, false])
  func `An error of the closure undoes everything, and reaches the caller`(cancels: Bool)
    async throws
  {
    await #expect(throws: Deliberate(number: 3)) {
      try await realm.asyncWrite {
        realm.create(Dog.self, value: ["Rex"])
        if cancels { realm.cancelWrite() }
        throw Deliberate(number: 3)
      }
    }
    expectTrue(names == [] && !realm.isInWriteTransaction)
  }

  @Test @Kennel func `A global actor writes with its realm`() async throws {
    let configuration = file.configuration(Pets.types)
    let realm = try await Realm.open(configuration: configuration)
    let dog = try await realm.asyncWrite { realm.create(Dog.self, value: ["Rex"]) }
    try await realm.asyncWrite { dog.name = "Fido" }
    expectTrue(dog.name == "Fido" && realm.objects(Dog.self).map(\.name) == ["Fido"])
  }

  @Test func `An actor writes with its realm, and keeps its objects`() async throws {
    let keeper = try await Keeper(file.configuration(Pets.types))
    try await keeper.create("Rex")
    await expectEqual(keeper.names, ["Rex"])
    try await keeper.rename("Fido")
    await expectEqual(keeper.names, ["Fido"])
    await keeper.close()
    expectEqual(names, ["Fido"])
  }

  @Test func `A task that is cancelled while it waits doesn't write`() async throws {
    let writer = try OtherWriter(file.configuration(Pets.types))
    let configuration = file.configuration(Pets.types)
    let waiting = Box(0)
    let tasks = (0..<100).map { _ in
      Task { @Kennel in
        let realm = try await Realm.open(configuration: configuration)
        waiting.value += 1
        try await realm.asyncWrite { Issue.record("It must not run.") }
      }
    }
    let allWait = await eventually { waiting.value == 100 }
    expectTrue(allWait)
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    writer.end()
    try await realm.asyncWrite { _ = realm.create(Dog.self, value: ["Rex"]) }
    expectEqual(names, ["Rex"])
  }

  @Test func `A task that was cancelled before doesn't write`() async throws {
    let configuration = file.configuration(Pets.types)
    let task = Task { @Kennel in
      let realm = try await Realm.open(configuration: configuration)
      while !Task.isCancelled { await Task.yield() }
      try await realm.asyncWrite { Issue.record("It must not run.") }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    expectEqual(names, [])
  }

  @Test func `The main actor opens its realm without blocking`() async throws {
    let configuration = file.configuration(Pets.types)
    let opened = try await Realm(configuration: configuration, downloadBeforeOpen: .always)
    expectEqual(opened, realm)
    let ofActor = try await Realm(configuration: configuration, actor: MainActor.shared)
    expectEqual(ofActor, realm)
    try await Task { @Kennel in
      let first = try await Realm(configuration: configuration, actor: Kennel.shared)
      let second = try await Realm.open(configuration: configuration)
      expectEqual(first, second)
    }.value
  }
}
