import Dispatch
import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

private final class Tally: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var value = 0
}

private func count(in realm: Realm) {
  realm.object(ofType: Tally.self, forPrimaryKey: 1)?.value += 1
}

/// An actor with a realm that its tasks share.
private actor Keeper {
  private let configuration: Realm.Configuration
  private var realm: Realm?

  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  func open() async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func writeAwaiting() async throws {
    guard let realm else { return }
    try await realm.asyncWrite { count(in: realm) }
  }

  func write() throws {
    guard let realm else { return }
    try realm.write { count(in: realm) }
  }

  /// With a realm of the task, not of the actor.
  func writeWithOwnRealm() throws {
    let own = try Realm(configuration: configuration)
    try own.write { count(in: own) }
  }

  func writeLater(_ done: @escaping @Sendable () -> Void) {
    guard let realm else { return }
    realm.writeAsync {
      count(in: realm)
    } onComplete: { _ in
      done()
    }
  }
}

/// Tasks, threads and queues that wait for each other's transactions.
@Suite("Waiting to write", .timeLimit(.minutes(40))) struct AsyncWritingTests {
  let folder: TestFolder
  let configuration: Realm.Configuration

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration([Tally.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Tally(value: [1, 0])) }
  }

  private func value() throws -> Int? {
    try Realm(configuration: configuration).object(ofType: Tally.self, forPrimaryKey: 1)?.value
  }

  @Test func `Tasks on one actor write in turns, awaiting or not`() async throws {
    let keeper = Keeper(configuration)
    try await keeper.open()
    try await withThrowingTaskGroup { group in
      for number in 0..<12 {
        group.addTask {
          for _ in 0..<25 {
            switch number % 3 {
            case 0: try await keeper.writeAwaiting()
            case 1: try await keeper.write()
            default: try await keeper.writeWithOwnRealm()
            }
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
    try expectEqual(value(), 300)
  }

  @MainActor private static func writeOnMain(
    _ configuration: Realm.Configuration, awaits: Bool
  ) async throws {
    let realm = try Realm(configuration: configuration)
    for _ in 0..<25 {
      if awaits {
        try await realm.asyncWrite { count(in: realm) }
      } else {
        try realm.write { count(in: realm) }
      }
      await Task.yield()
    }
  }

  @Test func `Tasks on the main actor write in turns, awaiting or not`() async throws {
    let configuration = configuration
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          try await Self.writeOnMain(configuration, awaits: number.isMultiple(of: 2))
        }
      }
      try await group.waitForAll()
    }
    try expectEqual(value(), 200)
  }

  @Test func `All kinds of places write at the same time, and nothing is lost`() async throws {
    let configuration = configuration
    let keeper = Keeper(configuration)
    try await keeper.open()
    let threads = (0..<3).map { _ in
      startThread {
        for _ in 0..<50 {
          let realm = try Realm(configuration: configuration)
          try realm.write {
            count(in: realm)
          }
        }
      }
    }
    let queue = DispatchQueue(label: "writes")
    let ended = Heard<Int>()
    queue.async {
      let realm = try! Realm(configuration: configuration, queue: queue)
      for _ in 0..<50 {
        realm.writeAsync {
          count(in: realm)
        } onComplete: { _ in
          ended.add(1)
        }
      }
    }
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          let realm = try Realm(configuration: configuration)
          for _ in 0..<25 {
            try await realm.asyncWrite {
              count(in: realm)
            }
          }
        }
        group.addTask {
          for _ in 0..<25 {
            try await keeper.writeAwaiting()
            await keeper.writeLater { ended.add(1) }
          }
        }
      }
      try await group.waitForAll()
    }
    for thread in threads { try thread.wait() }
    try await expectEqual(ended.arrival(of: 150).count, 150)
    try expectEqual(value(), 150 + 50 + 100 + 100 + 100)
  }

  @Test func `A task that would wait for itself gets an error`() async throws {
    let realm = try Realm(configuration: configuration)
    realm.beginWrite()
    let error = await #expect(throws: Realm.Error.self) { try await realm.asyncWrite {} }
    expectEqual(error?.message, "The Realm is already in a write transaction.")
    realm.cancelWrite()
    try await realm.asyncWrite {}
  }

  @Test func `A queue that doesn't take its turn keeps no one, and takes it later`() async throws {
    let configuration = configuration
    let queue = DispatchQueue(label: "busy")
    let (hasAsked, goesOn) = (Flag(), DispatchSemaphore(value: 0))
    let written = Heard<Int>()
    queue.async {
      let realm = try! Realm(configuration: configuration, queue: queue)
      realm.writeAsync {
        count(in: realm)
        written.add(realm.objects(Tally.self).sum(ofProperty: "value"))
      }
      hasAsked.set()
      goesOn.wait()
    }
    // The turn of the queue has come by then, and is taken away.
    await expectTrue(eventually { hasAsked.isSet })
    try inThread(configuration) { realm in
      try realm.write { count(in: realm) }
    }
    let realm = try Realm(configuration: configuration)
    try await realm.asyncWrite { count(in: realm) }
    expectEqual(written.all, [])
    goesOn.signal()
    try await expectEqual(written.arrival(of: 1), [3])
  }

  @Test func `Another program writes while a place doesn't take its turn`() async throws {
    let configuration = configuration
    let queue = DispatchQueue(label: "busy")
    let (hasAsked, goesOn) = (Flag(), DispatchSemaphore(value: 0))
    let ended = Heard<Bool>()
    queue.async {
      let realm = try! Realm(configuration: configuration, queue: queue)
      realm.writeAsync {
        count(in: realm)
      } onComplete: { _ in
        ended.add(true)
      }
      hasAsked.set()
      goesOn.wait()
    }
    await expectTrue(eventually { hasAsked.isSet })
    try folder.execute("UPDATE Tally SET value = 10")
    goesOn.signal()
    try await expectEqual(ended.arrival(of: 1), [true])
    try expectEqual(value(), 11)
  }

  /// RealmSwift's realms keep their queue. An actor often has what waits.
  @Test func `What waits for an actor that goes away is given up, and a queue is kept`()
    async throws
  {
    let configuration = configuration
    let written = Heard<Bool>()
    let realm = try Realm(configuration: configuration)
    realm.beginWrite()
    do {
      let keeper = Keeper(configuration)
      try await keeper.open()
      await keeper.writeLater {}
    }
    await Task.detached {
      let queue = DispatchQueue(label: "kept")
      queue.sync {
        let realm = try! Realm(configuration: configuration, queue: queue)
        realm.writeAsync { written.add(true) }
      }
    }.value
    do {
      try realm.commitWrite()
    } catch let error as Realm.Error where error.message.contains("nothing happened in it") {
      // On a busy machine, waiting writers may have ended the transaction.
    }
    try await expectEqual(written.arrival(of: 1), [true])
    try await realm.asyncWrite { realm.object(ofType: Tally.self, forPrimaryKey: 1)?.value = 7 }
    try expectEqual(value(), 7)
    await expectTrue(eventually { realm.session.store.sessions.count == 1 })
  }

  @Test func `A block of a plain task runs on a queue, and that is reported`() async throws {
    let realm = try Realm(configuration: configuration)
    let tally = realm.object(ofType: Tally.self, forPrimaryKey: 1)
    let ended = Heard<String>()
    expectIssue("Blocks can't be run asynchronously in task") {
      realm.beginAsyncWrite {
        tally?.value = 5
        realm.create(Tally.self, value: [2, 2])
        realm.commitAsyncWrite { error in ended.add("\(error as Any)") }
      }
    }
    try await expectEqual(ended.arrival(of: 1), ["nil"])
    expectTrue(tally?.value == 5 && realm.objects(Tally.self).count == 2)
  }
}
