import Dispatch
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Dog = Pets.Dog

@Suite("Realms of queues", .timeLimit(.minutes(40))) struct RealmsOfQueuesTests {
  private let file: TestFile
  private let configuration: Realm.Configuration
  private let queue = DispatchQueue(label: "of a realm")

  init() throws {
    file = try TestFile()
    configuration = file.configuration(Pets.types)
  }

  private func onQueue<Result: Sendable>(
    _ body: @escaping @Sendable (Realm) throws -> Result
  ) async throws -> Result {
    let (queue, configuration) = (queue, configuration)
    return try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(
          with: Swift.Result { try body(Realm(configuration: configuration, queue: queue)) })
      }
    }
  }

  @Test func `All blocks on a queue share its realm`() async throws {
    let configuration = configuration
    let kept = Box<Realm?>(nil)
    try await onQueue { realm in
      kept.value = realm
      try realm.write { _ = realm.create(Dog.self, value: ["Rex"]) }
    }
    try await onQueue { realm in
      expectEqual(realm, kept.value)
      let other = try Realm(configuration: configuration)
      expectTrue(other == realm && realm.objects(Dog.self).map(\.name) == ["Rex"])
      kept.value = nil
    }
  }

  @Test func `A realm of a queue is opened on it`() throws {
    expectError("Realm opened from incorrect dispatch queue.") {
      try Realm(configuration: configuration, queue: queue)
    }
  }

  @Test func `A queue that runs several blocks at once has no realm`() throws {
    expectError(containing: "Realms can only be confined to serial queues or the main queue.") {
      try Realm(configuration: configuration, queue: .global())
    }
  }

  @Test func `Without a queue the realm is that of the caller`() throws {
    let realm = try Realm(configuration: configuration, queue: nil)
    try expectEqual(Realm(configuration: configuration), realm)
  }

  @Test @MainActor func `The main queue's realm is that of the main actor`() throws {
    let realm = try Realm(configuration: configuration, queue: .main)
    try expectEqual(Realm(configuration: configuration), realm)
  }

  @Test func `Blocks write asynchronously on the queue`() async throws {
    let (configuration, queue) = (configuration, queue)
    let isOver = Box(false)
    try await onQueue { realm in
      _ = realm.writeAsync {
        dispatchPrecondition(condition: .onQueue(queue))
        realm.create(Dog.self, value: ["Rex"])
      } onComplete: { error in
        dispatchPrecondition(condition: .onQueue(queue))
        expectNil(error)
        isOver.value = true
      }
    }
    let ended = await eventually { isOver.value }
    expectTrue(ended)
    try expectEqual(Realm(configuration: configuration).objects(Dog.self).map(\.name), ["Rex"])
  }

  @Test func `What is observed is told on the queue`() async throws {
    let (configuration, queue) = (configuration, queue)
    let kept = Box<NotificationToken?>(nil)
    let counts = Box<[Int]>([])
    try await onQueue { realm in
      kept.value = realm.objects(Dog.self).observe { change in
        dispatchPrecondition(condition: .onQueue(queue))
        switch change {
        case .initial(let dogs), .update(let dogs, _, _, _): counts.append(dogs.count)
        case .error(let error): Issue.record(error)
        }
      }
    }
    await expectTrue(eventually { counts.value == [0] })
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Dog.self, value: ["Rex"]) }
    await expectTrue(eventually { counts.value == [0, 1] })
    kept.value = nil
  }
}
