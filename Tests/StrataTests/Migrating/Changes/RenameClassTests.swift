import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// A class that has another name in the program than in the file.
@Suite("Renaming a class")
struct RenameClassTests {
  enum Old {
    class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted(indexed: true) var name = ""
      @Persisted var age = 0
      @Persisted var friend: Person?
      @Persisted var friends: List<Person>
      @Persisted var tags: MutableSet<String?>
      @Persisted var byRole: Map<String, Person?>
      @Persisted var note: AnyRealmValue
      @Persisted var notes: MutableSet<AnyRealmValue>
      @Persisted var home: Address?
      @Persisted var homes: List<Address>
    }
    class Shop: Object {
      @Persisted var owner: Person?
      @Persisted var staff: List<Person>
      @Persisted var guests: MutableSet<Person>
      @Persisted var note: AnyRealmValue
      @Persisted var notes: List<AnyRealmValue>
      @Persisted var map: Map<String, AnyRealmValue>
    }
    class Address: EmbeddedObject {
      @Persisted var city = ""
      @Persisted var lodger: Person?
    }
    static let types: [ObjectBase.Type] = [Person.self, Shop.self, Address.self]
  }

  enum New {
    class Human: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted(indexed: true) var name = ""
      @Persisted var age = 0
      @Persisted var friend: Human?
      @Persisted var friends: List<Human>
      @Persisted var tags: MutableSet<String?>
      @Persisted var byRole: Map<String, Human?>
      @Persisted var note: AnyRealmValue
      @Persisted var notes: MutableSet<AnyRealmValue>
      @Persisted var home: Address?
      @Persisted var homes: List<Address>
      @Persisted(originProperty: "staff") var shops: LinkingObjects<Shop>
    }
    class Shop: Object {
      @Persisted var owner: Human?
      @Persisted var staff: List<Human>
      @Persisted var guests: MutableSet<Human>
      @Persisted var note: AnyRealmValue
      @Persisted var notes: List<AnyRealmValue>
      @Persisted var map: Map<String, AnyRealmValue>
    }
    class Address: EmbeddedObject {
      @Persisted var city = ""
      @Persisted var lodger: Human?
    }
    static let types: [ObjectBase.Type] = [Human.self, Shop.self, Address.self]
  }

  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write(Old.types) { realm in
      let gone = realm.create(Old.Person.self, value: ["id": -1])
      let ada = realm.create(
        Old.Person.self,
        value: ["id": 1, "name": "Ada", "age": 36, "tags": ["x", nil]] as [String: Any])
      let bob = realm.create(
        Old.Person.self, value: ["id": 2, "name": "Bob", "age": 40, "friend": ada])
      ada.friends.append(objectsIn: [bob, ada, bob])
      ada.byRole["boss"] = bob
      ada.byRole["none"] = .some(nil)
      ada.note = .object(bob)
      ada.notes.insert(objectsIn: [.object(ada), .object(bob), .int(7)])
      ada.home = Old.Address(value: ["city": "London", "lodger": bob])
      ada.homes.append(Old.Address(value: ["city": "Bath"]))
      let shop = realm.create(Old.Shop.self, value: ["owner": ada])
      shop.staff.append(objectsIn: [bob, ada])
      shop.guests.insert(bob)
      shop.note = .object(ada)
      shop.notes.append(objectsIn: [.string("x"), .object(ada)])
      shop.map["k"] = .object(bob)
      realm.delete(gone)
    }
  }

  static let rename: MigrationBlock = { migration, _ in
    migration.renameClass(from: "Person", to: "Human")
  }

  private func expectEverything(_ realm: Realm) throws {
    let humans = realm.objects(New.Human.self)
    expectEqual(humans.map(\.name), ["Ada", "Bob"])
    let ada = try #require(realm.object(ofType: New.Human.self, forPrimaryKey: 1))
    let bob = try #require(realm.object(ofType: New.Human.self, forPrimaryKey: 2))
    expectEqual(bob.friend, ada)
    expectEqual(Array(ada.friends), [bob, ada, bob])
    expectTrue(ada.tags.contains(nil) && ada.tags.contains("x"))
    expectEqual(ada.byRole["boss"], .some(bob))
    expectEqual(ada.byRole["none"], .some(nil))
    expectEqual(ada.note.object(New.Human.self), bob)
    expectTrue(ada.notes.contains(.object(ada)) && ada.notes.contains(.int(7)))
    expectEqual(ada.notes.count, 3)
    expectTrue(ada.home?.city == "London" && ada.home?.lodger == bob)
    expectEqual(ada.homes.map(\.city), ["Bath"])
    let shop = try #require(realm.objects(New.Shop.self).first)
    expectEqual(shop.owner, ada)
    expectEqual(Array(shop.staff), [bob, ada])
    expectTrue(shop.guests.contains(bob))
    expectEqual(shop.note.object(New.Human.self), ada)
    expectEqual(shop.notes[1].object(New.Human.self), ada)
    expectEqual(shop.map["k"]?.object(New.Human.self), bob)
    expectEqual(bob.shops.first, shop)
  }

  @Test func `A rename keeps objects, links, collections, keys and what is embedded`() throws {
    let identities = "SELECT _id FROM %s ORDER BY 1"
    let before = try folder.sql {
      try Int64.fetchAll($0, sql: identities.replacingOccurrences(of: "%s", with: "Person"))
    }
    try folder.open(New.types, version: 1, Self.rename) { try expectEverything($0) }
    try expectEqual(
      folder.sql {
        try Int64.fetchAll($0, sql: identities.replacingOccurrences(of: "%s", with: "Human"))
      }, before)
    expectEqual(before, [2, 3])
    try expectEqual(folder.problems(), [])
    // Later changes work as in a file that the program made.
    let dump = try folder.dump()
    try folder.open(New.types, version: 1) { try expectEverything($0) }
    try expectEqual(folder.dump(), dump)
    try folder.open(New.types, version: 1) { realm in
      try realm.write {
        realm.delete(realm.objects(New.Human.self).first { $0.id == 2 }!)
        expectTrue(realm.create(New.Human.self, value: ["id": 5]).friends.isEmpty)
      }
      expectEqual(realm.objects(New.Shop.self).first?.staff.map(\.name), ["Ada"])
      expectEqual(realm.objects(New.Human.self).first?.note, AnyRealmValue.none)
    }
    try expectEqual(folder.number("SELECT max(_id) FROM Human"), 4)
    try expectEqual(folder.problems(), [])
  }

  @Test func `A renamed class has the tables, indexes and triggers of a new file`() throws {
    let fresh = try TestFolder()
    try fresh.open(New.types) { _ in }
    try folder.open(New.types, version: 1, Self.rename) { _ in }
    func items(_ folder: TestFolder) throws -> [String] {
      try folder.texts(
        """
        SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '')
        FROM sqlite_schema ORDER BY type, name
        """)
    }
    try expectEqual(items(folder), items(fresh))
    try expectEqual(
      Realm.migrationHistory(at: folder.file).last?.schema,
      Realm.migrationHistory(at: fresh.file)[0].schema)
  }

  @Test func `Loops pair old and new objects, by either name`() throws {
    for name in ["Human", "Person"] {
      let copy = try TestFolder()
      try FileManager.default.copyItem(at: folder.file, to: copy.file)
      try copy.open(New.types, version: 1) { migration, _ in
        migration.renameClass(from: "Person", to: "Human")
        var pairs: [[String]] = []
        migration.enumerateObjects(ofType: name) { old, new in
          guard let old, let new else { return }
          expectEqual(old.objectSchema.className, "Person")
          expectEqual(new.objectSchema.className, "Human")
          for side in [old, new] where side["id"] as? Int == 1 {
            let friends = side["friends"] as! List<MigrationObject>
            expectEqual(friends.map { $0["name"] as? String }, ["Bob", "Ada", "Bob"])
            expectEqual(friends[1], side)
            expectTrue(friends.contains(side))
            expectEqual((side["note"] as? MigrationObject)?["name"] as? String, "Bob")
            expectEqual((side["home"] as? MigrationObject)?["city"] as? String, "London")
            let notes = side["notes"] as! MutableSet<AnyRealmValue>
            expectEqual(notes.compactMap { $0.dynamicObject?["id"] as? Int }.sorted(), [1, 2])
          }
          let friend = (new["friend"] as? MigrationObject)?["name"] as? String
          pairs.append([old["name"] as! String, new["name"] as! String, friend ?? "none"])
          new["age"] = (old["age"] as! Int) + 1
          new["note"] = "seen"
        }
        expectEqual(pairs, [["Ada", "Ada", "none"], ["Bob", "Bob", "Ada"]])
        migration.enumerateObjects(ofType: "Shop") { old, new in
          expectEqual((old!["owner"] as? MigrationObject)?["age"] as? Int, 36)
          expectEqual((new!["owner"] as? MigrationObject)?["age"] as? Int, 37)
          expectEqual((new!["note"] as? MigrationObject)?["age"] as? Int, 37)
          new!["owner"] = (new!["staff"] as! List<MigrationObject>)[0]
        }
        let carla = migration.create("Human", value: ["id": 3, "name": "Carla"])
        carla["friend"] = carla
        expectTrue(migration.oldSchema["Person"] != nil && migration.oldSchema["Human"] == nil)
      } _: { realm in
        expectEqual(realm.objects(New.Human.self).map(\.age), [37, 41, 0])
        expectEqual(
          realm.objects(New.Human.self).map(\.note), [.string("seen"), .string("seen"), .none])
        expectEqual(realm.objects(New.Shop.self).first?.owner?.name, "Bob")
        expectEqual(realm.objects(New.Human.self).last?.friend?.name, "Carla")
      }
      try expectEqual(
        Realm.problems(for: Realm.Configuration(fileURL: copy.file)).map(\.description), [])
    }
  }

  @Test func `A rename works together with new, removed, renamed and changed properties`() throws {
    enum V2 {
      class Human: Object {
        @Persisted(primaryKey: true) var key = ""
        @Persisted var years = 0
        @Persisted var id: Int?
        @Persisted var buddy: Human?
        @Persisted var pals: List<Human>
        @Persisted var level = 3
        @Persisted var token = UUID()
      }
      class Shop: Object {
        @Persisted var owner: Human?
      }
      class Address: EmbeddedObject {
        @Persisted var city = ""
      }
    }
    try folder.open([V2.Human.self, V2.Shop.self, V2.Address.self], version: 1) { migration, _ in
      migration.renameClass(from: "Person", to: "Human")
      migration.renameProperty(onType: "Human", from: "age", to: "years")
      migration.renameProperty(onType: "Human", from: "friend", to: "buddy")
      migration.renameProperty(onType: "Human", from: "friends", to: "pals")
      migration.renameProperty(onType: "Human", from: "name", to: "key")
    } _: { realm in
      let ada = try #require(realm.object(ofType: V2.Human.self, forPrimaryKey: "Ada"))
      expectTrue(ada.years == 36 && ada.id == 1 && ada.level == 3)
      expectEqual(ada.pals.map(\.key), ["Bob", "Ada", "Bob"])
      expectEqual(Set(realm.objects(V2.Human.self).map(\.token)).count, 2)
      expectEqual(realm.object(ofType: V2.Human.self, forPrimaryKey: "Bob")?.buddy, ada)
      expectEqual(realm.objects(V2.Shop.self).first?.owner, ada)
    }
    // Embedded objects of deleted properties are deleted.
    try expectEqual(folder.count(of: "Address"), 0)
    try expectEqual(folder.problems(), [])
  }

  @Test func `A rename takes no time for each object, whatever indexes there are`() throws {
    try folder.execute(
      """
      INSERT INTO Person (id, name, age) WITH RECURSIVE n(i) AS
      (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i, 'name ' || i, 1 FROM n
      """)
    let pages = try folder.sql { db in
      try Row.fetchAll(db, sql: "SELECT name, rootpage FROM sqlite_schema WHERE type = 'index'")
        .map { (($0[0] as String).replacingOccurrences(of: "Person", with: "Human"), $0[1] as Int) }
    }
    try folder.open(New.types, version: 1, Self.rename) { realm in
      expectEqual(realm.object(ofType: New.Human.self, forPrimaryKey: 19_000)?.name, "name 19000")
    }
    // The indexes are where they were: they were not created again.
    let after = try folder.sql { db in
      try Row.fetchAll(db, sql: "SELECT name, rootpage FROM sqlite_schema WHERE type = 'index'")
        .map { ($0[0] as String, $0[1] as Int) }
    }
    expectEqual(
      Dictionary(uniqueKeysWithValues: pages), Dictionary(uniqueKeysWithValues: after))
  }
}
