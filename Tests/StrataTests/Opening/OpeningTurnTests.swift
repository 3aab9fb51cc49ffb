import Foundation
import Strata
import StrataTestKit
import Synchronization
import TestKit
import Testing

/// Openings that wait for other openings.
@Suite("Turns of opening", .timeLimit(.minutes(10)))
struct OpeningTurnTests {
  private class Item: Object {
    @Persisted var number = 0
    @Persisted var numbers: List<Int>
  }

  /// A closure that is run once, when a class is looked at.
  private final class NextWork: Sendable {
    private let closure = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ work: @escaping @Sendable () -> Void) { closure.withLock { $0 = work } }

    func run() {
      let work = closure.withLock { closure in
        defer { closure = nil }
        return closure
      }
      work?()
    }
  }

  /// A class that runs a closure when its first object is made, which is when it is looked at.
  private class Curious: Object {
    @Persisted var number = 0

    // A test of all classes of the program would look at it first.
    override static func shouldIncludeInDefaultSchema() -> Bool { false }

    static let work = NextWork()

    override init() {
      super.init()
      Self.work.run()
    }
  }

  /// Another such class: each is looked at once.
  private class Nosy: Object {
    @Persisted var number = 0

    // A test of all classes of the program would look at it first.
    override static func shouldIncludeInDefaultSchema() -> Bool { false }

    static let work = NextWork()

    override init() {
      super.init()
      Self.work.run()
    }
  }

  private func file() throws -> TestFile {
    let file = try TestFile()
    try file.write([Item.self]) { $0.add(Item()) }
    return file
  }

  private func outcome(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "opened"
    } catch {
      return (error as? Realm.Error).map { "\($0.code)" } ?? "\(error)"
    }
  }

  @Test func `Blocks that open each other's files don't wait for ever`() throws {
    let files = [try file(), try file()]
    let flags = [Flag(), Flag()]
    let inner = Box<[String]>([])
    let threads = [0, 1].map { index in
      startThread {
        let other = files[1 - index].configuration([Item.self], version: 1) { _, _ in }
        try files[index].migrate([Item.self], to: 1) { _, _ in
          flags[index].set()
          flags[1 - index].wait()
          do {
            _ = try Realm(configuration: other)
            inner.append("opened")
          } catch let error as Realm.Error {
            expectTrue(
              error.message.contains("is being opened by a thread that waits for this one"))
            inner.append("\(error.code)")
          }
        }
      }
    }
    for thread in threads { try thread.wait() }
    expectEqual(inner.value.sorted(), ["AlreadyOpen", "opened"])
    for file in files { try expectEqual(file.version, 1) }
  }

  @Test func `A block opens another file that another thread is opening, and waits for it`() throws
  {
    let files = [try file(), try file()]
    let isIn = Flag()
    let waits = Flag()
    let first = startThread {
      try files[0].migrate([Item.self], to: 1) { _, _ in
        isIn.set()
        waits.wait()
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
    isIn.wait()
    try files[1].migrate([Item.self], to: 1) { _, _ in
      waits.set()
      _ = try Realm(configuration: files[0].configuration([Item.self], version: 1))
    }
    try first.wait()
    for file in files { try expectEqual(file.version, 1) }
  }

  @Test(arguments: [false, true])
  func `A cancelled opening doesn't wait for that of another place`(inStates: Bool) async throws {
    let file = try file()
    let isIn = Flag()
    let goesOn = Flag()
    let thread = startThread {
      try file.migrate([Item.self], to: 1) { _, _ in
        isIn.set()
        goesOn.wait()
      }
    }
    await expectTrue(eventually { isIn.isSet })
    let configuration = file.configuration([Item.self], version: 1)
    let task = Task {
      if inStates {
        for try await _ in Realm.opening(configuration: configuration) {}
      } else {
        _ = try await Realm.open(configuration: configuration)
      }
    }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    goesOn.set()
    try thread.wait()
    try expectEqual(file.version, 1)
    _ = try await Realm.open(configuration: configuration)
  }

  @Test(arguments: [false, true])
  func `What a migration block keeps doesn't keep the file open`(fails: Bool) throws {
    struct Refusal: Error {}
    let file = try file()
    let kept = Box<[Any]>([])
    do {
      try file.migrate([Item.self], to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Item") { old, new in
          kept.value += [migration, old as Any, new as Any, new?["numbers"] as Any]
        }
        migration.enumerate(Item.self, Item.self) { old, new in
          kept.value += [old, new, old.numbers]
        }
        kept.append(migration.create("Item"))
        if fails { throw Refusal() }
      }
    } catch is Refusal {}
    // Waits for a while, and fails, as long as there are connections.
    try expectTrue(Realm.deleteFiles(for: file.configuration([Item.self])))
    for object in kept.value {
      expectTrue((object as? MigrationObject)?.isInvalidated != false)
      expectTrue((object as? Object)?.isInvalidated != false)
      expectTrue((object as? List<Int>)?.isInvalidated != false)
    }
  }

  @Test func `A class that opens its own realm when it is looked at gets an error`() throws {
    let file = try TestFile()
    let configuration = file.configuration([Item.self, Nosy.self])
    let inner = Box("")
    Nosy.work.set {
      do {
        _ = try Realm(configuration: configuration)
      } catch {
        inner.value = "\(error)"
      }
    }
    _ = try Realm(configuration: configuration)
    expectTrue(inner.value.contains("in the initializer and the static members of a class"))
  }

  @Test func `A class that opens a realm doesn't wait for an opening that waits for the class`()
    throws
  {
    let file = try TestFile()
    let isIn = Flag()
    let goesOn = Flag()
    let inner = Box("")
    let alone = file.configuration([Item.self, Curious.self])
    Curious.work.set {
      isIn.set()
      goesOn.wait()
      Thread.sleep(forTimeInterval: 0.1)
      inner.value = outcome { _ = try Realm(configuration: file.configuration([Item.self])) }
    }
    let looking = startThread { _ = Curious.sharedSchema() }
    isIn.wait()
    let opening = startThread {
      goesOn.set()
      _ = try Realm(configuration: alone)
    }
    try looking.wait()
    try opening.wait()
    expectEqual(inner.value, "opened")
  }
}
