import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Writing")
struct WritingTests {
  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(
      configuration: folder.configuration([
        V0.Person.self, V0.Keyed.self, V0.OptionalKey.self, V0.Everything.self,
      ]))
  }

  @Test
  func `write undoes everything when something could not be read, instead of half the changes`()
    throws
  {
    try realm.write { realm.add(V0.Person(value: ["name": "Ada", "age": 36])) }
    try folder.execute("ALTER TABLE Person RENAME COLUMN age TO years")
    expectError(containing: "no such column") {
      try realm.write {
        realm.create(V0.Keyed.self, value: ["id": 1])
        for person in realm.objects(V0.Person.self) { person.name = "changed" }
      }
    }
    expectTrue(realm.objects(V0.Keyed.self).isEmpty)
    try folder.execute("ALTER TABLE Person RENAME COLUMN years TO age")
    expectEqual(realm.objects(V0.Person.self).map(\.name), ["Ada"])
  }

  @Test func `Nothing is changed after SQLite has rolled back the transaction by itself`() throws {
    try realm.write {
      for name in ["Ada", "Bob", "Cem"] { realm.add(V0.Person(value: ["name": name])) }
    }
    try folder.execute(
      """
      CREATE TRIGGER keep BEFORE DELETE ON Person WHEN OLD.name = 'Bob'
      BEGIN SELECT RAISE(ROLLBACK, 'Bob stays'); END
      """)
    let people = Array(realm.objects(V0.Person.self))
    expectError(containing: "Bob stays") {
      try realm.write {
        for person in people { realm.delete(person) }
        realm.create(V0.Keyed.self, value: ["id": 1])
      }
    }
    expectEqual(realm.objects(V0.Person.self).map(\.name), ["Ada", "Bob", "Cem"])
    expectTrue(realm.objects(V0.Keyed.self).isEmpty)
    try realm.write { realm.create(V0.Keyed.self, value: ["id": 2]) }
    expectEqual(realm.objects(V0.Keyed.self).map(\.id), [2])
  }

  @Test func `Enums, and what is missing, are kept, also after the file was closed`() throws {
    let folder = try TestFolder()
    try folder.write([V0.Everything.self]) { realm in
      let full = V0.Everything()
      (full.kind, full.level, full.optionalKind) = (.dog, .high, .cat)
      realm.add([full, V0.Everything()])
    }
    try folder.open([V0.Everything.self]) { realm in
      let full = try #require(realm.objects(V0.Everything.self).first)
      expectTrue(full.kind == .dog && full.level == .high && full.optionalKind == .cat)
      let empty = try #require(realm.objects(V0.Everything.self).last)
      expectTrue(
        empty.optionalInt == nil && empty.optionalString == nil && empty.optionalDate == nil)
      expectTrue(empty.date == Date(timeIntervalSince1970: 0) && empty.level == .low)
    }
    try expectTrue(folder.isSound())
  }

  @Test func `write throws the first mistake that was found where nothing can be thrown`() throws {
    try realm.write { realm.add(V0.Keyed(value: ["id": 1, "name": "one"])) }
    expectError(
      "Attempting to create an object of type 'Keyed' with an existing primary key "
        + "value '1'. Use 'update: .modified' to change the object that has it."
    ) {
      try realm.write {
        realm.create(V0.Keyed.self, value: ["id": 2])
        realm.create(V0.Keyed.self, value: ["id": 1])
        realm.create(V0.Keyed.self, value: ["id": 2])
      }
    }
    expectEqual(realm.objects(V0.Keyed.self).map(\.id), [1])
  }

  @Test func `Two nil primary keys are duplicates`() throws {
    try realm.write { realm.create(V0.OptionalKey.self) }
    expectError(containing: "with an existing primary key value '(null)'") {
      try realm.write { realm.create(V0.OptionalKey.self) }
    }
    expectTrue(realm.object(ofType: V0.OptionalKey.self, forPrimaryKey: nil as String?) != nil)
  }

  @Test func `The identity of an object is never given to another one`() throws {
    let names = { [realm] in realm.objects(V0.Person.self).map(\.name) }
    let ada = try realm.write { realm.create(V0.Person.self, value: ["name": "Ada"]) }
    let bob = V0.Person(value: ["name": "Bob"])
    realm.beginWrite()
    realm.add(bob)
    realm.cancelWrite()
    try realm.write { realm.create(V0.Person.self, value: ["name": "Cleo"]) }
    expectEqual(names(), ["Ada", "Cleo"])
    expectTrue(bob.isInvalidated && bob.name == "Bob")
    try realm.write { realm.delete(realm.objects(V0.Person.self).last!) }
    try realm.write { realm.create(V0.Person.self, value: ["name": "Dora"]) }
    expectTrue(names() == ["Ada", "Dora"] && !ada.isInvalidated)
    let rows = try folder.sql { try Int64.fetchAll($0, sql: "SELECT _id FROM Person") }
    expectEqual(rows, [1, 4])
  }

  @Test
  func `A table without identities left is an error, and foreign identities are accepted`() throws {
    try folder.execute(
      "INSERT INTO Person (_id, name, age) VALUES (-5, 'below', 1), (0, 'zero', 2)")
    realm.refresh()
    try realm.write { realm.create(V0.Person.self, value: ["name": "one"]) }
    expectEqual(realm.objects(V0.Person.self).map(\.name), ["below", "zero", "one"])
    try realm.write { realm.objects(V0.Person.self)[0].age = 9 }
    expectEqual(realm.objects(V0.Person.self).first?.age, 9)
    try folder.execute("INSERT INTO Person (_id, name, age) VALUES (\(Int64.max), 'last', 3)")
    realm.refresh()
    expectError(beginning: "Table 'Person' has no identities left") {
      try realm.write { realm.create(V0.Person.self) }
    }
    expectEqual(realm.objects(V0.Person.self).map(\.name), ["below", "zero", "one", "last"])
  }
}
