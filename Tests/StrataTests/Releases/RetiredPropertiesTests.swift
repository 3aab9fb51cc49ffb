import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Properties that a new release removes, and whose values stay for the old one.
@Suite struct RetiredPropertiesTests {
  /// Has only some properties of the old release.
  enum Fewer {
    final class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
      @Persisted var level = 3
    }

    final class Home: EmbeddedObject {
      @Persisted var street = ""
    }

    static let types: [ObjectBase.Type] = [Person.self, Home.self]
  }

  private func releases(_ block: MigrationBlock? = { _, _ in }) throws -> Releases {
    let releases = try Releases(Fewer.types, block)
    releases.changeNew = { $0.retiresRemovedProperties = true }
    return releases
  }

  private static let loop: MigrationBlock = { migration, _ in
    migration.enumerateObjects(ofType: "Person") { old, new in
      new?["name"] = old?["name"] as? String ?? ""
    }
  }

  @Test(arguments: [nil, RetiredPropertiesTests.loop], Circumstance.readable)
  func `Older programs keep removed properties`(
    _ block: MigrationBlock?, _ circumstance: Circumstance
  ) throws {
    let releases = try releases(block)
    circumstance.apply(to: releases)
    try releases.makeOld()
    let running = try Realm(configuration: releases.old)
    try OldWork.read(running)
    try releases.runNew { realm in
      expectEqual(realm.schema["Person"]?.properties.map(\.name), ["id", "name", "level"])
      try realm.write { realm.create(Fewer.Person.self, value: ["id": 8, "name": "New"]) }
    }
    running.refresh()
    let new = try #require(running.object(ofType: OldRelease.Person.self, forPrimaryKey: 8))
    expectEqual(new.age, try releases.folder.number("SELECT age FROM Person WHERE id = 8"))
    expectEqual(new.tags.count, 0)
    try running.write { running.delete(new) }
    try OldWork.read(running)
    try OldWork.change(running)
    try OldWork.insert(running)
    try releases.runNew { realm in
      expectEqual(realm.objects(Fewer.Person.self).count, 2)
      // Elements and embedded objects of retired properties go with their object.
      try realm.write { realm.delete(realm.objects(Fewer.Person.self).where { $0.id == 1 }) }
    }
    expectEqual(try releases.folder.number("SELECT count(*) FROM Person_tags"), 0)
    expectEqual(try releases.folder.number("SELECT count(*) FROM Home"), 0)
    running.refresh()
    expectEqual(running.objects(OldRelease.Person.self).first?.friend, nil)
  }

  /// The third version has the property "age" again, and no other retired one.
  enum Again {
    final class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
      @Persisted var level = 3
      @Persisted var age = "none"
    }

    final class Home: EmbeddedObject {
      @Persisted var street = ""
    }
  }

  @Test(arguments: [false, true])
  func `Retired properties can be dropped, and their names used again`(_ drops: Bool) throws {
    let releases = try releases(Self.loop)
    try releases.makeOld()
    try releases.runNew()
    let third = releases.folder.configuration(
      [Again.Person.self, Again.Home.self], version: 3
    ) { migration, _ in
      if drops { migration.dropRetired(olderThan: 2) }
    }
    let realm = try Realm(configuration: third)
    expectEqual(realm.objects(Again.Person.self).map(\.age), ["none", "none"])
    let columns = try releases.folder.sql { try $0.columns(in: "Person").map(\.name) }
    expectEqual(
      Set(columns),
      drops
        ? ["_id", "id", "name", "level", "age"]
        : ["_id", "id", "name", "level", "age", "email", "friend", "home"])
    let tables = try releases.folder.number(
      "SELECT count(*) FROM sqlite_schema WHERE name = 'Person_tags'")
    expectEqual(tables, drops ? 0 : 1)
    if drops { expectEqual(try releases.folder.number("SELECT count(*) FROM Home"), 0) }
  }

  @Test func `A check of the file and an inspection know retired properties`() throws {
    let releases = try releases()
    try releases.makeOld()
    try releases.runNew()
    try expectEqual(Realm.problems(for: releases.old), [])
    try expectEqual(Realm.inspection(at: releases.folder.file).otherTables, [])
  }

  /// A person with a list: deleting such an object needs triggers.
  enum Listed {
    final class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
      @Persisted var level = 3
      @Persisted var marks: List<Int>
    }

    static let types: [ObjectBase.Type] = [Person.self, Fewer.Home.self]
  }

  @Test(arguments: ["delete", "deleteData", "resolveDuplicates"])
  func `A block deletes objects with the elements of their retired properties`(
    _ how: String
  ) throws {
    let releases = try Releases(Listed.types, Self.loop)
    releases.changeNew = { $0.retiresRemovedProperties = true }
    try releases.makeOld()
    try releases.runNew()
    func count(_ table: String) throws -> Int {
      try releases.folder.number("SELECT count(*) FROM \(table)") ?? -1
    }
    try expectTrue(count("Person_tags") > 0 && count("Home") > 0)
    let third = releases.folder.configuration(Listed.types, version: 3) { migration, _ in
      switch how {
      case "delete":
        migration.enumerateObjects(ofType: "Person") { _, new in
          if let new { migration.delete(new) }
        }
      case "deleteData": migration.deleteData(forType: "Person")
      default:
        migration.enumerateObjects(ofType: "Person") { _, new in new?["id"] = 1 }
        _ = migration.resolveDuplicates(ofType: "Person", keeping: .first)
      }
    }
    let realm = try Realm(configuration: third)
    let kept = how == "resolveDuplicates" ? 1 : 0
    expectEqual(realm.objects(Listed.Person.self).count, kept)
    let owners = "SELECT count(DISTINCT owner) FROM Person_tags"
    try expectTrue((releases.folder.number(owners) ?? -1) <= kept && count("Home") <= kept)
    try expectEqual(Realm.problems(for: third), [])
  }

  @Test func `Classes with retired properties are renamed and dropped`() throws {
    final class Human: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
    }
    final class Other: Object {
      @Persisted var name = ""
    }
    let releases = try releases(Self.loop)
    try releases.makeOld()
    try releases.runNew()
    try releases.folder.open([Human.self], version: 3) { migration, _ in
      migration.renameClass(from: "Person", to: "Human")
    } _: { realm in
      expectEqual(realm.objects(Human.self).map(\.name), ["Ann", "Bob"])
    }
    do {
      let realm = try Realm(configuration: releases.old)
      try OldWork.read(realm)
      try OldWork.change(realm)
      try OldWork.insert(realm)
    }
    try releases.folder.open([Other.self], version: 4) { migration, _ in
      migration.deleteData(forType: "Human")
      migration.deleteData(forType: "Home")
    } _: { _ in
    }
    expectEqual(
      try releases.folder.texts(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'Person%'"),
      [])
  }
}
