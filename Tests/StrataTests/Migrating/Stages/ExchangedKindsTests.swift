import Strata
import StrataTestKit
import TestKit
import Testing

private enum Old {
  class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var home: Address?
    @Persisted var homes: List<Address>
    @Persisted var places: Map<String, Address?>
    @Persisted var dog: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var tags: MutableSet<Int>
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

private enum New {
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

/// Classes that become embedded in the migration in which others cease to be.
@Suite struct ExchangedKindsTests {
  @Test func `Embedded and plain classes change places`() throws {
    let folder = try TestFolder()
    try folder.write(Old.types) { realm in
      let address: (String) -> [String: Any] = {
        ["city": $0, "room": ["name": "r"], "rooms": [["name": "s"], ["name": "t"]]]
      }
      let rex = realm.create(Old.Dog.self, value: ["name": "Rex"])
      for id in 1...3 {
        let person = realm.create(
          Old.Person.self,
          value: [
            "id": id, "home": address("h\(id)"), "homes": [address("a\(id)"), address("b\(id)")],
            "places": ["x": address("p\(id)")], "dog": rex,
            "dogs": [rex, ["name": "D\(id)"], rex], "tags": [1, 2, id * 10],
          ] as [String: Any])
        person.note = .object(rex)
      }
    }
    try folder.open(New.types, version: 1) { migration, _ in
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
      expectEqual(realm.objects(New.Person.self).map(\.id), ["p1", "p2", "p3"])
      expectEqual(realm.objects(New.Person.self).map { $0.home?.room?.name }, ["r", "r", "r"])
      expectEqual(realm.objects(New.Address.self).count, 12)
      try expectEqual(folder.count(of: "Dog"), 3)
    }
  }
}
