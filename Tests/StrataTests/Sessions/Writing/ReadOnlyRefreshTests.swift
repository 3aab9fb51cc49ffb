import Foundation
import StrataStorage
import StrataTestKit
import TestKit
import Testing

@testable import Strata

private final class Person: Object {
  @Persisted var name = ""
}

@Suite("Looking for other processes without writing")
struct ReadOnlyRefreshTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([Person.self]) { realm in _ = realm.create(Person.self, value: ["Ada"]) }
  }

  private func readOnly() throws -> Realm {
    var configuration = folder.configuration([Person.self])
    configuration.readOnly = true
    return try Realm(configuration: configuration)
  }

  @Test func `A read-only realm sees what others commit, and nothing when they don't`() throws {
    let realm = try readOnly()
    let ada = try #require(realm.objects(Person.self).first)
    for name in ["Bea", "Cleo"] {
      for _ in 0..<3 { expectFalse(realm.refresh()) }
      try folder.execute("UPDATE Person SET name = '\(name)'")
      expectTrue(realm.refresh())
      expectEqual(ada.name, name)
    }
  }

  @Test func `Objects of a read-only realm stay current while there is no commit`() async throws {
    let realm = try readOnly()
    let store = realm.session.store
    let before = store.clock.now
    for _ in 0..<3 { try expectFalse(store.refresh()) }
    expectEqual(store.clock.now, before)
    try folder.execute("UPDATE Person SET name = 'Bea'")
    // The library looks by itself.
    await expectTrue(eventually { store.clock.now > before })
    expectEqual(realm.objects(Person.self).first?.name, "Bea")
  }

  @Test func `A realm that only reads opens no connection for writing`() async throws {
    let realm = try Realm(configuration: folder.configuration([Person.self]))
    expectEqual(realm.objects(Person.self).count, 1)
    let store = realm.session.store
    // The library looks by itself: the first look is over when the second one sees something.
    for name in ["Abe", "Ann"] {
      let before = store.clock.now
      try folder.execute("UPDATE Person SET name = '\(name)'")
      await expectTrue(eventually { store.clock.now > before })
    }
    expectFalse(store.writer.isOpen)
    try folder.execute("UPDATE Person SET name = 'Bea'")
    expectTrue(realm.refresh() && realm.objects(Person.self).first?.name == "Bea")
    try realm.write { _ = realm.create(Person.self, value: ["Cleo"]) }
    expectTrue(store.writer.isOpen)
    try folder.execute("UPDATE Person SET name = 'Dora'")
    expectTrue(realm.refresh() && !realm.refresh())
  }
}
