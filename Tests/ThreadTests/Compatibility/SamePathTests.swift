import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias V0 = Items.V0
private typealias V1 = Items.V1

/// Opening a path that is open already, also with other lists of classes.
@Suite("The same path twice") struct SamePathTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  private func message(_ difference: String) -> String {
    "Realm at path '\(file.url.path)' already opened with different \(difference). Use one "
      + "configuration for a file, or close the realm first."
  }

  @Test func `The same configuration gives the same realm on one thread`() throws {
    let first = try Realm(configuration: file.configuration([V0.Item.self]))
    let second = try Realm(configuration: file.configuration([V0.Item.self]))
    expectEqual(first, second)
    try first.write { second.add(V0.Item(value: [1])) }
    expectEqual(second.objects(V0.Item.self).count, 1)
  }

  @Test
  func `Another version is an error that says so, and its block is not lost silently`() throws {
    try file.open([V0.Item.self], version: 1) { realm in
      let error = try file.failure([V0.Item.self], to: 2) { _, _ in
        Issue.record("The block must not be called.")
      }
      expectEqual(error.code, .fail)
      expectEqual(error.message, message("schema version (1, now 2)"))
      expectTrue(realm.isEmpty)
    }
    try file.migrate([V0.Item.self], to: 2)
    try expectEqual(file.version, 2)
  }

  @Test func `Other classes are an error that says so`() throws {
    try file.open([V0.Item.self]) { realm in
      for types in [[V0.Item.self, V0.Other.self], [V1.Item.self]] as [[ObjectBase.Type]] {
        try expectEqual(file.failure(types, to: 0).message, message("set of classes"))
      }
      expectTrue(realm.isEmpty)
    }
    try expectEqual(file.failure([V1.Item.self], to: 0).code, .schemaMismatch, "when it is closed")
  }

  @Test func `The order of the list of classes makes no difference`() throws {
    try file.open([V0.Item.self, V0.Other.self]) { realm in
      let again = try Realm(configuration: file.configuration([V0.Other.self, V0.Item.self]))
      expectEqual(again, realm)
    }
  }

  @Test(arguments: [false, true])
  func `Read-only beside read-write is an error`(readOnlyFirst: Bool) throws {
    try file.migrate([V0.Item.self], to: 0)
    var configuration = file.configuration([V0.Item.self])
    configuration.readOnly = readOnlyFirst
    let realm = try Realm(configuration: configuration)
    configuration.readOnly.toggle()
    expectError(message("read permissions"), code: .fail) {
      try Realm(configuration: configuration)
    }
    expectTrue(realm.isEmpty)
  }

  @Test func `performMigration of an open file is an error`() throws {
    try file.open([V0.Item.self]) { realm in
      expectError("Cannot migrate Realms that are already open.", code: .alreadyOpen) {
        try Realm.performMigration(for: file.configuration([V0.Item.self], version: 1))
      }
      expectTrue(realm.isEmpty)
    }
    try Realm.performMigration(for: file.configuration([V0.Item.self], version: 1))
    try expectEqual(file.version, 1)
  }

  @Test
  func `Another thread shares what is open, and gets an error for another version`() async throws {
    let realm = try Realm(configuration: file.configuration([V0.Item.self], version: 1))
    try realm.write { realm.add(V0.Item(value: [5])) }
    let count = try await Task.detached {
      try file.open([V0.Item.self], version: 1) { $0.objects(V0.Item.self).count }
    }.value
    expectEqual(count, 1)
    let error = await Task.detached {
      #expect(throws: Realm.Error.self) { try file.migrate([V0.Item.self], to: 2) }
    }.value
    expectEqual(error?.message, message("schema version (1, now 2)"))
    expectEqual(realm.objects(V0.Item.self).count, 1)
  }

  @Test func `When all realms are released the next open decides again`() throws {
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: [1])) }
    try file.migrate([V1.Item.self], to: 1)
    try file.open([V1.Item.self], version: 1) { realm in
      expectEqual(realm.objects(V1.Item.self).map(\.number), [1])
    }
  }

  @Test func `A failed open leaves nothing open`() throws {
    try file.migrate([V0.Item.self], to: 0)
    _ = try file.failure([V1.Item.self], to: 0)
    try expectTrue(Realm.deleteFiles(for: file.configuration([V0.Item.self])))
  }
}
