import Dispatch
import Foundation
import GRDB
import StrataStorage
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// A process looks for the commits of others from 0.2 s after opening on.
@Suite("The first look for commits of other processes") struct FirstLookTests {
  class Person: Object {
    @Persisted var name = ""
  }

  /// A file with one person, opened on a queue, and what its observers hear.
  private final class Opened: @unchecked Sendable {
    let folder: TestFolder
    let queue = DispatchQueue(label: "first look")
    let changes = Heard<Bool>()
    var realm: Realm?
    var token: NotificationToken?

    init(_ prepare: (URL) throws -> Void = { _ in }) throws {
      folder = try TestFolder()
      let configuration = folder.configuration([Person.self])
      let file = try #require(configuration.fileURL)
      try folder.write([Person.self]) { realm in realm.create(Person.self, value: ["name": "Ada"]) }
      try prepare(file)
      try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        self.realm = realm
        token = realm.observe { [changes] _, _ in changes.add(true) }
      }
    }

    var store: Store? { queue.sync { realm?.session.store } }

    func name() -> String? { queue.sync { realm?.objects(Person.self).first?.name } }

    func write(_ sql: String) throws {
      try DatabaseQueue.otherProgram(at: folder.configuration([Person.self]).fileURL!)
        .write { try $0.execute(sql: sql) }
    }

    deinit { queue.sync { (token, realm) = (nil, nil) } }
  }

  @Test func `The first write to a file without changes is one change`() async throws {
    let opened = try Opened()
    try opened.queue.sync {
      try opened.realm?.write { opened.realm?.objects(Person.self).first?.name = "Grace" }
    }
    _ = try await opened.changes.arrival(of: 1)
    let store = try #require(opened.store)
    for _ in 0..<3 { try expectFalse(store.refresh()) }
    opened.queue.sync {}
    expectEqual(opened.changes.all.count, 1)
  }

  @Test func `A commit before the first look is heard of`() async throws {
    let opened = try Opened()
    expectEqual(opened.name(), "Ada")
    try opened.write("UPDATE Person SET name = 'Grace'")
    await expectTrue(eventually { opened.name() == "Grace" && !opened.changes.all.isEmpty })
  }

  @Test func `A commit before the first write is seen by it`() throws {
    let opened = try Opened()
    expectEqual(opened.name(), "Ada")
    try opened.write("UPDATE Person SET name = 'Grace'")
    try opened.queue.sync {
      let realm = try #require(opened.realm)
      let person = try #require(realm.objects(Person.self).first)
      try realm.write { person.name += "!" }
      expectEqual(person.name, "Grace!")
    }
  }

  /// It has a WAL then, which the opening adds nothing to.
  @Test func `A commit into a WAL that was there is heard of`() async throws {
    var other: DatabaseQueue?
    let opened = try Opened { file in
      other = try DatabaseQueue.otherProgram(at: file)
      try other?.write { try $0.execute(sql: "UPDATE Person SET name = 'Alan'") }
    }
    expectEqual(opened.name(), "Alan")
    try other?.unsafeReentrantWrite {
      try $0.execute(sql: "UPDATE Person SET name = 'Grace'")
    }
    await expectTrue(eventually { opened.name() == "Grace" && !opened.changes.all.isEmpty })
    withExtendedLifetime(other) {}
  }

  @Test func `A commit whose WAL was emptied before the first look is heard of`() async throws {
    let opened = try Opened()
    expectEqual(opened.name(), "Ada")
    let file = try #require(opened.folder.configuration([Person.self]).fileURL)
    let other = try DatabaseQueue.otherProgram(at: file)
    try other.unsafeReentrantWrite { db in
      try db.execute(sql: "UPDATE Person SET name = 'Grace'")
      // Without a wait for the realm's readers.
      try db.execute(sql: "PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)")
    }
    await expectTrue(eventually { opened.name() == "Grace" && !opened.changes.all.isEmpty })
  }
}
