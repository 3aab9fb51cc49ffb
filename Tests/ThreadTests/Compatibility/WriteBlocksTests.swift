import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Dog = Pets.Dog

/// `writeAsync`, `beginAsyncWrite` and `commitAsyncWrite` on the main actor.
@MainActor @Suite("Blocks that write asynchronously", .timeLimit(.minutes(40)))
struct WriteBlocksTests {
  private let file: TestFile
  private let realm: Realm

  init() throws {
    file = try TestFile()
    realm = try Realm(configuration: file.configuration(Pets.types))
  }

  private var names: [String] { realm.objects(Dog.self).map(\.name) }

  private func add(_ name: String) { realm.create(Dog.self, value: [name]) }

  private func cancel(_ id: Realm.AsyncTransactionId) {
    do {
      try realm.cancelAsyncWrite(id)
    } catch {
      Issue.record(error)
    }
  }

  /// Waits until nothing asynchronous is going on.
  private func end() async {
    let ended = await eventually { !realm.isPerformingAsynchronousWriteOperations }
    expectTrue(ended)
  }

  @Test func `A block writes, and its end is told after the commit`() async throws {
    var errors: [(any Error)?] = []
    var seen: [String] = []
    realm.writeAsync {
      expectTrue(realm.isInWriteTransaction && realm.isPerformingAsynchronousWriteOperations)
      add("Rex")
    } onComplete: { error in
      errors.append(error)
      seen = names
    }
    expectTrue(realm.isPerformingAsynchronousWriteOperations && !realm.isInWriteTransaction)
    expectEqual(names, [])
    await end()
    expectTrue(seen == ["Rex"] && errors.count == 1 && errors[0] == nil)
  }

  @Test func `A block that begins ends itself with a commit, whose end is told later`()
    async throws
  {
    var order: [String] = []
    realm.beginAsyncWrite {
      add("Rex")
      realm.commitAsyncWrite { _ in order.append("told \(names)") }
      expectFalse(realm.isInWriteTransaction)
      order.append("returned")
    }
    await end()
    expectEqual(order, ["returned", "told [\"Rex\"]"])
  }

  @Test(arguments: [true, false])
  func `A block that is cancelled before its turn isn't called`(commits: Bool) async throws {
    var called = false
    let id: Realm.AsyncTransactionId
    if commits {
      id = realm.writeAsync {
        called = true
      } onComplete: { _ in
        called = true
      }
    } else {
      id = realm.beginAsyncWrite {
        called = true
        realm.commitAsyncWrite { _ in called = true }
      }
    }
    try realm.cancelAsyncWrite(id)
    expectFalse(realm.isPerformingAsynchronousWriteOperations)
    // Nothing is in the way of others.
    realm.writeAsync { add("Rex") }
    await end()
    expectTrue(!called && names == ["Rex"])
  }

  @Test func `Blocks that wait when their realm is invalidated aren't called`() async throws {
    var called = false
    realm.beginAsyncWrite { called = true }
    realm.writeAsync {
      called = true
    } onComplete: { _ in
      called = true
    }
    realm.invalidate()
    expectFalse(realm.isPerformingAsynchronousWriteOperations)
    // The realm goes on, and nothing is in the way of others.
    realm.writeAsync { add("Rex") }
    await end()
    expectTrue(!called && names == ["Rex"])
  }

  @Test func `A block that invalidates its realm is taken back, and so are those after it`()
    async throws
  {
    realm.writeAsync {
      add("Rex")
      realm.invalidate()
    }
    realm.writeAsync { add("Fido") }
    await end()
    expectEqual(names, [])
    try realm.write { add("Bello") }
    expectEqual(names, ["Bello"])
  }

  @Test func `A write that is awaited goes on when its realm is invalidated`() async throws {
    realm.beginWrite()
    let task = Task { try await realm.asyncWrite { add("Rex") } }
    let waits = await eventually { realm.isPerformingAsynchronousWriteOperations }
    expectTrue(waits)
    realm.invalidate()
    try await task.value
    expectEqual(names, ["Rex"])
  }

  @Test func `A realm that doesn't refresh by itself shows what its own block writes`()
    async throws
  {
    realm.autorefresh = false
    var heard: [Realm.Notification] = []
    let token = realm.observe { notification, _ in heard.append(notification) }
    let dogs = realm.objects(Dog.self)
    realm.writeAsync { add("Rex") }
    await end()
    expectTrue(heard.contains(.didChange) && dogs.count == 1)
    realm.refresh()
    expectEqual(dogs.map(\.name), ["Rex"])
    token.invalidate()
  }

  @Test func `Blocks run in the order of their calls, each in a transaction of its own`()
    async throws
  {
    var told = false
    realm.beginAsyncWrite {
      add("Rex")
      realm.commitAsyncWrite(allowGrouping: true) { _ in told = true }
    }
    realm.beginAsyncWrite {
      expectEqual(names, ["Rex"])
      add("Fido")
      realm.commitAsyncWrite()
    }
    for number in 0..<20 { realm.writeAsync { add("\(number)") } }
    await end()
    expectTrue(told && names == ["Rex", "Fido"] + (0..<20).map { "\($0)" })
  }

  @Test func `A write that doesn't wait comes before blocks that do`() async throws {
    realm.beginAsyncWrite { add("not committed") }
    try realm.write { add("Rex") }
    expectEqual(names, ["Rex"])
    await end()
    expectEqual(names, ["Rex"])
  }

  @Test func `A transaction that was begun by hand is committed asynchronously`() async throws {
    try realm.write { add("Rex") }
    realm.beginWrite()
    add("Fido")
    var told = false
    realm.commitAsyncWrite { _ in told = true }
    expectTrue(names == ["Rex", "Fido"] && !told)
    await end()
    expectTrue(told)
  }

  @Test(arguments: [true, false])
  func `Blocks are mixed with a transaction that is begun by hand`(commits: Bool) async throws {
    var told = false
    realm.writeAsync { add("first") }
    realm.writeAsync {
      add("second")
    } onComplete: { _ in
      told = true
    }
    realm.beginWrite()
    add("by hand")
    if commits { try realm.commitWrite() } else { realm.cancelWrite() }
    await end()
    expectTrue(told && names == (commits ? ["by hand"] : []) + ["first", "second"])
  }

  @Test func `Observers hear of each block`() async throws {
    var counts: [Int] = []
    let token = realm.objects(Dog.self).observe { change in
      if case .update(let dogs, _, _, _) = change { counts.append(dogs.count) }
    }
    var ends = 0
    realm.writeAsync {
      add("Rex")
    } onComplete: { _ in
      ends += 1
    }
    realm.writeAsync {
      add("Fido")
    } onComplete: { _ in
      ends += 1
    }
    await end()
    let heard = await eventually { counts.last == 2 }
    expectTrue(heard && ends == 2 && names == ["Rex", "Fido"])
    token.invalidate()
  }

  @Test func `A block may ask for another one`() async throws {
    var ends: [Int] = []
    realm.beginAsyncWrite {
      add("outer")
      realm.beginAsyncWrite {
        add("inner")
        realm.commitAsyncWrite { _ in ends.append(2) }
      }
      realm.commitAsyncWrite { _ in ends.append(1) }
    }
    await end()
    expectTrue(ends == [1, 2] && names == ["outer", "inner"])
  }

  @Test func `A block that is asked for inside of a transaction runs after it`() async throws {
    realm.beginWrite()
    add("first")
    realm.beginAsyncWrite {
      add("second")
      realm.commitAsyncWrite()
    }
    try realm.commitWrite()
    await end()
    expectEqual(names, ["first", "second"])
  }

  @Test func `Of several blocks those that commit and aren't cancelled count`() async throws {
    var calls = 0
    realm.beginAsyncWrite {
      add("not committed")
      calls += 1
    }
    for name in ["Rex", "Fido"] {
      realm.beginAsyncWrite {
        add(name)
        realm.commitAsyncWrite()
        calls += 1
      }
    }
    let id = realm.beginAsyncWrite {
      add("cancelled")
      realm.commitAsyncWrite()
      calls += 1
    }
    try realm.cancelAsyncWrite(id)
    await end()
    expectTrue(calls == 3 && names == ["Rex", "Fido"] && !realm.isInWriteTransaction)
  }

  @Test func `Cancelling has no effect inside of the block, and on a commit only on its handler`()
    async throws
  {
    var told = false
    var id: Realm.AsyncTransactionId = 0
    id = realm.beginAsyncWrite {
      cancel(id)
      add("Rex")
      let commit = realm.commitAsyncWrite { _ in told = true }
      cancel(commit)
    }
    await end()
    realm.writeAsync {}
    await end()
    expectTrue(names == ["Rex"] && !told)
  }

  @Test func `A block changes an object that exists, and adds one from outside of it`()
    async throws
  {
    let dog = try realm.write { realm.create(Dog.self, value: ["Rex"]) }
    let other = Dog(value: ["outside"])
    realm.beginAsyncWrite {
      dog.name = "Fido"
      realm.add(other)
      realm.commitAsyncWrite()
    }
    await end()
    expectTrue(dog.name == "Fido" && names == ["Fido", "outside"] && other.realm == realm)
  }

  @Test func `The error of a commit is told`() async throws {
    var errors: [(any Error)?] = []
    realm.writeAsync {
      add("Rex")
      realm.beginWrite()
    } onComplete: {
      errors.append($0)
    }
    realm.commitAsyncWrite { errors.append($0) }
    await end()
    let messages = errors.map { ($0 as? Realm.Error)?.message ?? "none" }
    expectEqual(
      messages.sorted(),
      [
        "Can't commit a write transaction: none was begun with 'beginWrite()'.",
        "The Realm is already in a write transaction.",
      ])
    expectEqual(names, [])
  }
}
