import Dispatch
import Foundation
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

private final class Person: Object {
  @Persisted var name = ""
}

/// Transactions whose realm isn't kept, or that are never ended.
@Suite("Transactions that are begun by hand", .timeLimit(.minutes(40)))
struct AbandonedTransactionsTests {
  let folder: TestFolder
  let configuration: Realm.Configuration

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration([Person.self])
  }

  @Test func `A transaction continues in another realm of its place when its own isn't kept`()
    throws
  {
    try Realm(configuration: configuration).beginWrite()
    try expectTrue(Realm(configuration: configuration).isInWriteTransaction)
    try Realm(configuration: configuration).create(Person.self, value: ["Ada"])
    try Realm(configuration: configuration).commitWrite()
    try expectFalse(Realm(configuration: configuration).isInWriteTransaction)
    try expectEqual(Realm(configuration: configuration).objects(Person.self).map(\.name), ["Ada"])
    try Realm(configuration: configuration).beginWrite()
    try Realm(configuration: configuration).deleteAll()
    try Realm(configuration: configuration).cancelWrite()
    try expectEqual(Realm(configuration: configuration).objects(Person.self).count, 1)
  }

  @Test func `A transaction is rolled back when its thread has ended and others wait`() throws {
    try inThread(configuration) { realm in
      realm.beginWrite()
      // Not yet written: who waits for it must not keep the transaction.
      realm.create(Person.self, value: ["lost"])
    }
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Person.self, value: ["Ada"]) }
    expectEqual(realm.objects(Person.self).map(\.name), ["Ada"])
  }

  @Test func `A transaction is rolled back when its task has ended and others wait`() async throws {
    let configuration = configuration
    try await Task.detached {
      let realm = try Realm(configuration: configuration)
      realm.beginWrite()
      realm.create(Person.self, value: ["lost"])
    }.value
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Person.self, value: ["Ada"]) }
    expectEqual(realm.objects(Person.self).map(\.name), ["Ada"])
  }

  @Test func `An idle transaction is rolled back, and says so at its end`() throws {
    let realm = try Realm(configuration: configuration)
    let store = realm.session.store
    let atOnce = WriteQueue.Limits(kept: .zero, lost: .zero)
    for end in ["commit", "cancel", "write"] {
      realm.beginWrite()
      let lost = realm.create(Person.self, value: ["lost"])
      let other = otherWriter(store.writer.queue, end)
      // The waiting test sees first that nothing changes, and then that it still doesn't.
      for _ in 0..<2 { store.writer.queue.revokeAbandonedTurns(atOnce) }
      try other.wait()
      switch end {
      case "cancel": realm.cancelWrite()
      case "write":
        _ = realm.objects(Person.self).count
        fallthrough
      default:
        expectError(beginning: "A write transaction was rolled back, because others", code: .fail) {
          try realm.commitWrite()
        }
      }
      expectTrue(!realm.isInWriteTransaction && lost.isInvalidated)
    }
    expectEqual(realm.objects(Person.self).map(\.name), ["commit", "cancel", "write"])
  }

  /// A thread that waits to write an object.
  private func otherWriter(_ queue: WriteQueue, _ name: String) -> RunningThread {
    let thread = startThread(configuration) { other in
      try other.write { _ = other.create(Person.self, value: [name]) }
    }
    expectTrue(blockUntil { queue.waitingCount > 0 })
    return thread
  }

  @Test func `A place that works alone keeps its transaction, whatever time it takes`() throws {
    let queue = try Realm(configuration: configuration).session.store.writer.queue
    let atOnce = WriteQueue.Limits(kept: .zero, lost: .zero)
    let idle = try Realm(configuration: configuration).session.store
    try Realm(configuration: configuration).beginWrite()
    try Realm(configuration: configuration).create(Person.self, value: ["Ada"])
    for _ in 0..<3 {
      queue.revokeAbandonedTurns(atOnce)
      // As the look for other processes does five times a second.
      try idle.refresh()
    }
    try Realm(configuration: configuration).commitWrite()
    try expectEqual(Realm(configuration: configuration).objects(Person.self).map(\.name), ["Ada"])
  }

  @Test func `Closures that wait for the transaction of their own place don't end it`() throws {
    let queue = DispatchQueue(label: "alone")
    let configuration = configuration
    let done = DispatchSemaphore(value: 0)
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      realm.beginWrite()
      realm.create(Person.self, value: ["first"])
      realm.writeAsync {
        realm.create(Person.self, value: ["second"])
      } onComplete: { error in
        expectNil(error)
        done.signal()
      }
      let queue = realm.session.store.writer.queue
      expectTrue(blockUntil { queue.waitingCount > 0 })
      for _ in 0..<3 { queue.revokeAbandonedTurns(WriteQueue.Limits(kept: .zero, lost: .zero)) }
      try realm.commitWrite()
    }
    done.wait()
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(Person.self).map(\.name), ["first", "second"])
  }

  @Test func `A transaction of a queue that is gone is rolled back for other processes`() throws {
    let realm = try Realm(configuration: configuration)
    var queue: DispatchQueue? = DispatchQueue(label: "gone")
    try queue?.sync { [configuration] in
      let lost = try Realm(configuration: configuration, queue: queue)
      lost.beginWrite()
      lost.create(Person.self, value: ["lost"])
    }
    try realm.session.store.refresh()
    #expect(throws: (any Error).self) {
      try folder.execute("PRAGMA busy_timeout = 0; INSERT INTO Person (name) VALUES ('x')")
    }
    queue = nil
    // A queue is released on another thread, soon.
    try expectTrue(
      blockUntil {
        try realm.session.store.refresh()
        return !realm.session.store.writer.queue.isInUse
      })
    try folder.execute("INSERT INTO Person (name) VALUES ('Ada')")
    realm.refresh()
    expectEqual(realm.objects(Person.self).map(\.name), ["Ada"])
  }

  @Test func `The first write after a transaction was taken away says so, and the next one works`()
    async throws
  {
    let configuration = configuration
    let owner = try await Owner(configuration)
    for way in Owner.Way.allCases {
      try await owner.forget(way)
      let error = await #expect(throws: Realm.Error.self) { try await owner.write(way) }
      expectEqual(error?.message, ErrorText.abandoned)
      try await owner.write(way)
    }
    let names = try Realm(configuration: configuration).objects(Person.self).map(\.name)
    expectEqual(names, Owner.Way.allCases.flatMap { ["other", "\($0)"] })
  }

  @Test func `A transaction of a closure, or a busy one, is not rolled back`() throws {
    let realm = try Realm(configuration: configuration)
    let queue = realm.session.store.writer.queue
    let atOnce = WriteQueue.Limits(kept: .zero, lost: .zero)
    var other: RunningThread?
    try realm.write {
      other = otherWriter(queue, "other")
      for _ in 0..<3 { queue.revokeAbandonedTurns(atOnce) }
      realm.create(Person.self, value: ["a"])
    }
    try other?.wait()
    realm.beginWrite()
    other = otherWriter(queue, "other")
    for name in ["b", "c", "d"] {
      queue.revokeAbandonedTurns(atOnce)
      realm.create(Person.self, value: [name])
    }
    for _ in 0..<3 {
      queue.revokeAbandonedTurns(WriteQueue.Limits(kept: .seconds(60), lost: .zero))
    }
    try realm.commitWrite()
    try other?.wait()
    expectEqual(realm.objects(Person.self).count, 6)
  }

  @Test func `Rolled back transactions leave nothing in their session`() throws {
    let realm = try Realm(configuration: configuration)
    var last: Person?
    for number in 0..<500 {
      realm.beginWrite()
      last = realm.create(Person.self, value: ["\(number)"])
      realm.cancelWrite()
    }
    expectTrue(realm.session.gone.rolledBackCount <= 64)
    expectEqual(last?.isInvalidated, true)
  }

  @Test func `Sessions of places that have ended are forgotten`() async throws {
    let configuration = configuration
    let realm = try Realm(configuration: configuration)
    for _ in 0..<200 {
      try await Task.detached {
        _ = try Realm(configuration: configuration).objects(Person.self).count
      }
      .value
    }
    expectEqual(realm.session.store.sessions.count, 1)
  }
}

/// An actor that forgets a transaction.
private actor Owner {
  enum Way: CaseIterable {
    case write, asyncWrite, writeAsync
  }

  private var realm: Realm!
  private let configuration: Realm.Configuration

  init(_ configuration: Realm.Configuration) async throws {
    self.configuration = configuration
    realm = try await Realm(configuration: configuration, actor: self)
  }

  /// Begins a transaction that another caller's writing ends.
  func forget(_ way: Way) throws {
    realm.beginWrite()
    realm.create(Person.self, value: ["lost"])
    let queue = realm.session.store.writer.queue
    let other = startThread(configuration) { other in
      try other.write { _ = other.create(Person.self, value: ["other"]) }
    }
    expectTrue(blockUntil { queue.waitingCount > 0 })
    for _ in 0..<2 { queue.revokeAbandonedTurns(WriteQueue.Limits(kept: .zero, lost: .zero)) }
    try other.wait()
  }

  func write(_ way: Way) async throws {
    switch way {
    case .write: try realm.write { add(way) }
    case .asyncWrite: try await realm.asyncWrite { add(way) }
    case .writeAsync:
      let error = await withCheckedContinuation { continuation in
        realm.writeAsync {
          self.add(way)
        } onComplete: { error in
          continuation.resume(returning: error as? Realm.Error)
        }
      }
      if let error { throw error }
    }
  }

  private func add(_ way: Way) { realm.create(Person.self, value: ["\(way)"]) }
}
