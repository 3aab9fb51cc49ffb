import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Dog = Pets.Dog

@MainActor @Suite("Refreshing without blocking", .timeLimit(.minutes(40)))
struct AsyncRefreshTests {
  private let file: TestFile
  private let realm: Realm

  init() throws {
    file = try TestFile()
    realm = try Realm(configuration: file.configuration(Pets.types))
  }

  private func addElsewhere(_ name: String) async throws {
    let file = file
    try await Task.detached {
      try file.write(Pets.types) { _ = $0.create(Dog.self, value: [name]) }
    }.value
  }

  @Test func `A refresh says whether there was anything new, and shows it`() async throws {
    // The first look at a file counts as new.
    realm.refresh()
    realm.autorefresh = false
    let dogs = realm.objects(Dog.self)
    await expectFalse(realm.asyncRefresh())
    expectEqual(dogs.count, 0)
    try await addElsewhere("Rex")
    expectEqual(dogs.count, 0)
    await expectTrue(realm.asyncRefresh())
    expectEqual(dogs.map(\.name), ["Rex"])
    await expectFalse(realm.asyncRefresh())
  }

  @Test(arguments: [true, false])
  func `A refresh waits for the newest version`(autorefresh: Bool) async throws {
    let dogs = realm.objects(Dog.self)
    var heard: [Int] = []
    let token = dogs.observe { change in
      switch change {
      case .initial(let dogs), .update(let dogs, _, _, _): heard.append(dogs.count)
      case .error(let error): Issue.record(error)
      }
    }
    let hasBegun = await eventually { heard == [0] }
    expectTrue(hasBegun)
    realm.autorefresh = autorefresh
    let file = file
    // The main actor is blocked, and can't receive these commits before its refresh.
    try blocking {
      for name in ["Rex", "Fido"] {
        try file.write(Pets.types) { _ = $0.create(Dog.self, value: [name]) }
      }
    }
    expectEqual(dogs.count, 0)
    await expectTrue(realm.asyncRefresh())
    expectTrue(dogs.count == 2 && heard.last == 2)
    token.invalidate()
  }

  @Test func `Several tasks wait for the same refresh`() async throws {
    realm.autorefresh = false
    let dogs = realm.objects(Dog.self)
    let token = dogs.observe { _ in }
    try await addElsewhere("Rex")
    expectEqual(dogs.count, 0)
    let task = Task {
      await realm.asyncRefresh()
      return dogs.count
    }
    await realm.asyncRefresh()
    expectEqual(dogs.count, 1)
    await expectEqual(task.value, 1)
    token.invalidate()
  }

  @Test func `A cancelled task refreshes nothing`() async throws {
    realm.autorefresh = false
    try await addElsewhere("Rex")
    let task = Task { await realm.asyncRefresh() }
    task.cancel()
    await expectFalse(task.value)
    expectTrue(realm.objects(Dog.self).isEmpty)
  }

  @Test func `A transaction isn't refreshed`() async throws {
    realm.beginWrite()
    await expectFalse(realm.asyncRefresh())
    try realm.commitWrite()
  }

  @Test func `A realm of a queue says that it is used elsewhere`() async throws {
    let queue = DispatchQueue(label: "of a realm")
    let configuration = file.configuration(Pets.types)
    let opened = Box<Realm?>(nil)
    try blocking {
      try queue.sync { opened.value = try Realm(configuration: configuration, queue: queue) }
    }
    let other = try #require(opened.value)
    let error = await #expect(throws: Realm.Error.self) { try await other.asyncWrite {} }
    expectEqual(error?.message.hasPrefix("Realm accessed from incorrect thread."), true)
    await withKnownIssue {
      await other.asyncRefresh()
    } matching: {
      "\($0)".contains("Realm accessed from incorrect thread.")
    }
  }
}

/// Runs a closure on another thread, which the caller's waits for.
private func blocking(_ body: @escaping @Sendable () throws -> Void) throws {
  let result = Box<Result<Void, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  Thread {
    result.value = Result { try body() }
    done.signal()
  }.start()
  done.wait()
  try result.value?.get()
}
