import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Renames of relationships around other changes")
struct RenamingAroundChangesTests {
  let folder: TestFolder
  enum Old {
    class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var home: Address?
      @Persisted var homes: List<Address>
      @Persisted var places: Map<String, Address?>
      @Persisted var dog: Dog?
      @Persisted var dogs: List<Dog>
      @Persisted var tags: MutableSet<Int>
      @Persisted var other: List<String>
      @Persisted var note: AnyRealmValue
    }
    class Dog: Object { @Persisted var name = "" }
    class Address: EmbeddedObject {
      @Persisted var city = ""
      @Persisted var room: Room?
      @Persisted var rooms: List<Room>
    }
    class Room: EmbeddedObject { @Persisted var name = "" }
    static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self]
  }
  enum New {
    class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var house: Address?
      @Persisted var houses: List<Address>
      @Persisted var spots: Map<String, Address?>
      @Persisted var pet: Dog?
      @Persisted var pets: List<Dog>
      @Persisted var labels: MutableSet<Int>
      @Persisted var thing: AnyRealmValue
      /// Another type under an old name.
      @Persisted var other: List<Int>
      @Persisted var texts: List<String>
    }
    class Dog: Object { @Persisted var name = "" }
    class Address: EmbeddedObject {
      @Persisted var city = ""
      @Persisted var chamber: Room?
      @Persisted var chambers: List<Room>
    }
    class Room: EmbeddedObject { @Persisted var name = "" }
    static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self]
  }
  enum Third {
    class Person: Object {
      @Persisted(primaryKey: true) var id = ""
      @Persisted var home: Address?
      @Persisted var homes: List<Address>
      @Persisted var dog: Dog?
      @Persisted var dogs: List<Dog>
      @Persisted var tags: List<Int>
    }
    class Dog: EmbeddedObject { @Persisted var name = "" }
    class Address: Object {
      @Persisted(primaryKey: true) var city = ""
      @Persisted var room: Room?
      @Persisted var rooms: List<Room>
    }
    class Room: Object { @Persisted var name = "" }
    static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self]
  }

  init() throws {
    folder = try TestFolder()
    try folder.write(Old.types) { realm in
      let address: (String) -> [String: Any] = {
        ["city": $0, "room": ["name": "r"], "rooms": [["name": "s"], ["name": "t"]]]
      }
      let rex = realm.create(Old.Dog.self, value: ["name": "Rex"])
      for id in 1...3 {
        let p = realm.create(
          Old.Person.self,
          value: [
            "id": id, "home": address("h\(id)"), "homes": [address("a\(id)"), address("b\(id)")],
            "places": ["x": address("p\(id)")], "dog": rex,
            "dogs": [rex, ["name": "D\(id)"], rex],
            "tags": [1, 2, id * 10], "other": ["o\(id)"],
          ] as [String: Any])
        p.note = .object(rex)
      }
    }
  }
  static let renames = [
    ("Person", "home", "house"), ("Person", "homes", "houses"), ("Person", "places", "spots"),
    ("Person", "dog", "pet"), ("Person", "dogs", "pets"), ("Person", "tags", "labels"),
    ("Person", "note", "thing"),
    ("Address", "room", "chamber"), ("Address", "rooms", "chambers"),
  ]

  @Test(arguments: [0, 1, 2, 3, 4])
  func `A relationship is renamed after reading, deleting and writing`(_ way: Int) throws {
    try folder.open(New.types, version: 1) { migration, _ in
      if way >= 1 {
        migration.enumerateObjects(ofType: "Person") { old, new in
          expectEqual((old!["homes"] as! List<MigrationObject>).count, 2)
          if way == 2, old!["id"] as? Int == 1 { migration.delete(new!) }
          if way == 3 {
            new!["texts"] = ["t"]
            new!["other"] = [1, 2]
          }
          if way == 4 {
            new!["house"] = ["city": "made", "chamber": ["name": "q"]]
            new!["houses"] = [["city": "made"]]
          }
        }
      }
      if way == 2 {
        migration.enumerateObjects(ofType: "Dog") { _, dog in
          if dog!["name"] as? String == "Rex" { migration.delete(dog!) }
        }
      }
      for (name, from, to) in Self.renames {
        migration.renameProperty(onType: name, from: from, to: to)
      }
      migration.enumerateObjects(ofType: "Person") { old, new in
        expectEqual(
          (new!["houses"] as! List<MigrationObject>).map { $0["city"] as? String }.count, 2)
        expectTrue((new!["house"] as? MigrationObject)?["chamber"] != nil)
      }
      if way == 4 {
        migration.create(
          "Person",
          value: [
            "id": 77, "house": ["city": "z", "chambers": [["name": "1"]]], "pets": [["name": "n"]],
            "spots": ["k": ["city": "v"]],
          ] as [String: Any])
      }
    } _: { (realm: Realm) throws in
      let people = Array(realm.objects(New.Person.self)).filter { $0.id != 77 }
      expectEqual(people.count, (way == 2 ? 2 : 3))
      for p in people {
        expectEqual(p.house?.city, "h\(p.id)")
        expectEqual(p.houses.map(\.city), ["a\(p.id)", "b\(p.id)"])
        expectEqual(p.houses[1].chambers.map(\.name), ["s", "t"])
        expectEqual(p.houses[1].chamber?.name, "r")
        expectEqual(p.spots["x"]??.city, "p\(p.id)")
        expectTrue(p.labels.contains(p.id * 10))
        expectEqual(p.pets.count, (way == 2 ? 1 : 3))
        expectEqual(p.pet?.name, (way == 2 ? nil : "Rex"))
        if way != 2 { expectEqual(p.thing.object(New.Dog.self)?.name, "Rex") }
        expectEqual(Array(p.other), (way == 3 ? [1, 2] : []))
      }
      let extra = way == 4 ? 2 : 0
      try expectEqual(folder.count(of: "Address"), people.count * 4 + extra)
      try expectEqual(folder.count(of: "Room"), people.count * 12 + (way == 4 ? 1 : 0))
      try realm.write { realm.delete(realm.objects(New.Person.self)) }
      try expectEqual(folder.count(of: "Address"), 0)
      try expectEqual(folder.count(of: "Room"), 0)
    }
  }

  @Test func `Embedded and plain classes change places`() throws {
    try folder.open(Third.types, version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        new!["id"] = "p\(old!["id"] as! Int)"
        // A dog can be part of one person only.
        new!["dog"] = ["name": "own"]
        new!["dogs"] = nil
        new!["tags"] = Array(old!["tags"] as! MutableSet<Int>)
      }
      migration.enumerateObjects(ofType: "Dog") { old, new in
        if old != nil { migration.delete(new!) }
      }
    } _: { (realm: Realm) throws in
      expectEqual(realm.objects(Third.Person.self).map(\.id), ["p1", "p2", "p3"])
      expectEqual(realm.objects(Third.Person.self).map { $0.home?.room?.name }, ["r", "r", "r"])
      expectEqual(realm.objects(Third.Address.self).count, 12)
      try expectEqual(folder.count(of: "Dog"), 3)
    }
  }

  @Test func `A block that fails changes nothing`() throws {
    _ = try folder.expectUntouched(New.types, version: 1) { migration, _ in
      for (name, from, to) in Self.renames {
        migration.renameProperty(onType: name, from: from, to: to)
      }
      migration.enumerateObjects(ofType: "Person") { _, new in
        new!["house"] = ["city": "made"]
        migration.delete(new!)
      }
      migration.renameProperty(onType: "Person", from: "nothing", to: "house")
    }
  }

  @Test func `A relationship is renamed after the objects of collections were deleted`() throws {
    try folder.open(New.types, version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        new!["pets"] = old!["id"] as? Int == 2 ? [["name": "kept"]] : nil
      }
      migration.deleteData(forType: "Dog")
      migration.create("Dog", value: ["name": "fresh"])
      for (name, from, to) in Self.renames where name == "Address" {
        migration.renameProperty(onType: name, from: from, to: to)
      }
      migration.enumerateObjects(ofType: "Person") { old, new in
        expectEqual((new!["pets"] as! List<MigrationObject>).count, 0)
      }
    } _: { (realm: Realm) throws in
      expectEqual(realm.objects(New.Dog.self).map(\.name), ["fresh"])
      expectTrue(realm.objects(New.Person.self).allSatisfy { $0.pets.isEmpty })
      try expectEqual(folder.count(of: "Address"), 0)
      try expectEqual(folder.count(of: "Room"), 0)
    }
  }
}
