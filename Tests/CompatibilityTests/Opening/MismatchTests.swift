import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Much {
  class Another: Object {
    @Persisted var value: Int?
  }
  class Fresh: Object {
    @Persisted var value = 0
  }
  class Item: Object {
    @Persisted(primaryKey: true) var key = ""
    @Persisted var note = ""
    @Persisted var name: String?
    @Persisted(indexed: true) var extra = 0
  }
}

private enum Before {
  class Another: Object {
    @Persisted var value = 0
  }
}

/// Changes of the classes that need a higher version.
@Suite("Changes that need a higher version") struct MismatchTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  @Test(arguments: Change.all)
  func `A change without a higher version is an error that names it`(_ change: Change) throws {
    try file.migrate([change.old], to: 0)
    let before = try file.storedSchema()
    let error = try file.failure([change.new], to: 0) { _, _ in
      Issue.record("The block must not be called.")
    }
    expectEqual(error.code, .schemaMismatch)
    expectEqual(
      error.message,
      "Migration is required due to the following errors:"
        + change.lines.map { "\n- \($0)" }.joined())
    try expectEqual(file.storedSchema(), before)
    try expectEqual(file.version, 0)
  }

  @Test(
    arguments: Change.all + Change.free)
  func `With a higher version and no block, the file follows the class`(_ change: Change) throws {
    try file.migrate([change.old], to: 0)
    try file.migrate([change.new], to: 1)
    try expectEqual(file.version, 1)
    try expectSchema(of: change.new, in: file)
  }

  @Test(
    arguments: Change.all + Change.free)
  func `The block of a higher version is called once, and sees both schemas`(_ change: Change)
    throws
  {
    try file.migrate([change.old], to: 0)
    let before = try file.storedSchema()
    let declared = change.new.init().objectSchema
    let calls = Box<[UInt64]>([])
    try file.migrate([change.new], to: 1) { migration, old in
      calls.append(old)
      expectEqual(migration.oldSchema, before)
      expectEqual(migration.newSchema["Item"]?.properties, declared.properties)
    }
    expectEqual(calls.value, [0])
    try expectSchema(of: change.new, in: file)
  }

  @Test(arguments: Change.free)
  func `Free changes need no higher version`(_ change: Change) throws {
    try file.write([change.old]) { realm in
      realm.create(try #require(change.old as? Object.Type), value: ["id": 1, "name": "a"])
    }
    try file.migrate([change.new], to: 0) { _, _ in
      Issue.record("The block must not be called.")
    }
    try expectSchema(of: change.new, in: file)
    try expectEqual(file.values("Item", "id"), ["1"])
    try expectEqual(file.values("Item", "name"), ["a"])
  }

  /// Compares what the file says of its columns with the class; their order is free.
  private func expectSchema(of type: ObjectBase.Type, in file: TestFile) throws {
    let stored = try #require(try file.storedSchema()["Item"])
    let declared = type.init().objectSchema
    func lines(_ schema: ObjectSchema, _ name: (Property) -> String) -> [String] {
      schema.properties.map { "\(name($0)) \($0.type) \($0.isOptional) \($0.isIndexed)" }.sorted()
    }
    expectEqual(lines(stored, \.name), lines(declared, \.columnName))
    expectEqual(stored.primaryKeyProperty?.name, declared.primaryKeyProperty?.columnName)
  }

  @Test
  func `Lines come by class, then the file's properties, then the new ones, then the key`() throws {
    try file.migrate([Variants.V0.Item.self, Before.Another.self], to: 0)
    let error = try file.failure([Much.Item.self, Much.Another.self, Much.Fresh.self], to: 0)
    expectEqual(
      error.message,
      """
      Migration is required due to the following errors:
      - Property 'Another.value' has been made optional.
      - Property 'Item.id' has been removed.
      - Property 'Item.name' has been made optional.
      - Property 'Item.note' has been made required.
      - Property 'Item.key' has been added.
      - Property 'Item.extra' has been added.
      - Primary Key for class 'Item' has been added.
      """)
    try expectEqual(file.storedSchema().names, ["Another", "Item"], "no new class either")
  }

  @Test
  func `The error can be caught by its name, and Foundation sees it as Realm's error`() throws {
    try file.migrate([Variants.V0.Item.self], to: 0)
    do {
      try file.migrate([Variants.Added.Item.self], to: 0)
      Issue.record("Opening should fail.")
    } catch Realm.Error.schemaMismatch {
      // As in programs.
    }
    let error = try file.failure([Variants.Added.Item.self], to: 0)
    expectEqual(type(of: error).errorDomain, "io.realm")
    expectEqual(error.errorCode, 10)
    expectEqual(error.errorUserInfo["Error Name"] as? String, "SchemaMismatch")
    expectTrue(error.localizedDescription.contains("Property 'Item.age' has been added."))
    expectEqual(
      error, (try file.failure([Variants.Removed.Item.self], to: 0)), "equal by their codes")
  }
}
