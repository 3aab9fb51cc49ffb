import Foundation
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
    try folder.open([Person.self]) { realm in
      try realm.write { _ = realm.create(Person.self, value: ["Ada"]) }
    }
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
    let clock = realm.session.store.clock
    let before = clock.now
    try await Task.sleep(for: .milliseconds(700))
    expectEqual(clock.now, before)
    try folder.execute("UPDATE Person SET name = 'Bea'")
    try await Task.sleep(for: .milliseconds(700))
    expectTrue(clock.now > before && realm.objects(Person.self).first?.name == "Bea")
  }

  @Test func `A realm that only reads opens no connection for writing`() async throws {
    let realm = try Realm(configuration: folder.configuration([Person.self]))
    expectEqual(realm.objects(Person.self).count, 1)
    try await Task.sleep(for: .milliseconds(500))
    expectFalse(realm.session.store.writer.isOpen)
    try folder.execute("UPDATE Person SET name = 'Bea'")
    expectTrue(realm.refresh() && realm.objects(Person.self).first?.name == "Bea")
    try realm.write { _ = realm.create(Person.self, value: ["Cleo"]) }
    expectTrue(realm.session.store.writer.isOpen)
    try folder.execute("UPDATE Person SET name = 'Dora'")
    expectTrue(realm.refresh() && !realm.refresh())
  }
}
