import Dispatch
import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// A class whose end is a moment at which the program runs.
private final class Ending: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var value = 0
  @Persisted var others: List<AnyRealmValue>

  /// Run at the end of each object: the tests of the suite run one after the other.
  nonisolated(unsafe) static var end: (() -> Void)?

  deinit { Self.end?() }
}

/// Last references that are released while another thread, or the library itself, uses the object.
/// `deinit` code must not wait for a lock that is held.
@Suite("Last references", .serialized, .timeLimit(.minutes(10))) struct LastReferencesTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["STRATA_FAULTS"] == "all" ? 50_000 : 20_000

  private let folder: TestFolder
  private let configuration: Realm.Configuration

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration([Ending.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { for id in 0..<300 { realm.create(Ending.self, value: ["id": id]) } }
  }

  @Test func `Threads freeze and let go at the same time`() throws {
    let configuration = configuration
    let threads = (0..<4).map { number in
      startThread(configuration) { realm in
        for round in 0..<Self.rounds {
          let frozen = realm.freeze()
          expectTrue(frozen.isFrozen)
          guard number == 0, round % 10 == 0 else { continue }
          try realm.write { realm.create(Ending.self, value: [round, round], update: .modified) }
        }
      }
    }
    for thread in threads { try thread.wait() }
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.session.store.frozenSessions.count, 0)
  }

  @Test func `A realm of a queue is released elsewhere while the queue opens it`() throws {
    let queue = DispatchQueue(label: "LastReferencesTests")
    let opened = { [configuration] in
      try queue.sync { try Realm(configuration: configuration, queue: queue).session }
    }
    let kept = try Realm(configuration: configuration)
    for _ in 0..<Self.rounds {
      // Released by this thread, while the queue has the next one.
      nonisolated(unsafe) var session: Session? = try opened()
      let other = startThread { [configuration] in
        try queue.sync { _ = try Realm(configuration: configuration, queue: queue) }
      }
      session = nil
      _ = session
      try other.wait()
    }
    expectEqual(kept.session.store.sessions.places.count, 1)
  }

  @MainActor @Test func `What a cancelled block had cancels another one at its end`() throws {
    let realm = try Realm(configuration: configuration)
    try withHeldFile {
      let second = realm.writeAsync { Issue.record("It was cancelled") }
      let first = realm.writeAsync {
        [owner = AtEnd { #expect(throws: Never.self) { try realm.cancelAsyncWrite(second) } }] in
        withExtendedLifetime(owner) { _ = Issue.record("It was cancelled") }
      }
      try realm.cancelAsyncWrite(first)
      expectFalse(realm.isPerformingAsynchronousWriteOperations)
    }
  }

  /// Runs a closure while another thread writes.
  private func withHeldFile(_ body: () throws -> Void) throws {
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let writer = startThread(configuration) { realm in
      try realm.write {
        begun.signal()
        ended.wait()
      }
    }
    begun.wait()
    let result = Result { try body() }
    ended.signal()
    try writer.wait()
    try result.get()
  }

  @Test func `The end of an object reads the frozen results that had it`() throws {
    let frozen = try Realm(configuration: configuration).freeze().objects(Ending.self)
    var reads = 0
    Ending.end = {
      guard reads < 1_000 else { return }
      reads += 1
      let position = reads * 7 % 300
      expectEqual(frozen[position].id, position)
    }
    defer { Ending.end = nil }
    for position in 0..<300 { expectEqual(frozen[position * 11 % 300].id, position * 11 % 300) }
    expectTrue(reads > 100)
  }

  @Test func `The end of an object reads the sorted list that had it`() throws {
    let realm = try Realm(configuration: configuration)
    let holder = try #require(realm.object(ofType: Ending.self, forPrimaryKey: 0))
    try realm.write {
      let others = realm.objects(Ending.self).where { $0.id > 200 }
      holder.others.append(objectsIn: others.map { .object($0) })
    }
    let sorted = holder.others.sorted(ascending: true)
    expectEqual(sorted.count, 99)
    var reads = 0
    Ending.end = {
      guard reads < 100 else { return }
      reads += 1
      expectTrue(sorted.count >= 90)
    }
    defer { Ending.end = nil }
    for _ in 0..<9 {
      try realm.write { holder.others.removeLast() }
      _ = sorted.first
    }
    expectTrue(reads > 10)
  }
}
