import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Old = Homes.TopLevel
private typealias New = Homes.Embedded

private enum Removed {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var homes: List<New.Home>
    @Persisted var places: Map<String, New.Home?>
  }
}

private enum Nested {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var home: Home?
  }
  class Home: Object {
    @Persisted var name = ""
    @Persisted var geo: Geo?
    @Persisted var rooms: List<Geo>
    @Persisted var tags: MutableSet<String>
    @Persisted var landlord: Person?
  }
  class Geo: EmbeddedObject {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Person.self, Home.self, Geo.self]
}

private enum NestedEmbedded {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var home: Home?
  }
  class Home: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var geo: Geo?
    @Persisted var rooms: List<Geo>
    @Persisted var tags: MutableSet<String>
    @Persisted var landlord: Person?
  }
  class Geo: EmbeddedObject {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Person.self, Home.self, Geo.self]
}

private enum Keyed {
  class Owner: Object {
    @Persisted var home: Home?
  }
  class Home: Object {
    @Persisted(primaryKey: true) var name = ""
  }
}

private enum KeyGone {
  class Owner: Object {
    @Persisted var home: Home?
  }
  class Home: EmbeddedObject {
    @Persisted var name = ""
  }
}

/// The change of an `Object` to an `EmbeddedObject`, and back.
@Suite("Embedding") struct EmbeddingTests {
  private func filled(_ fill: (Realm) -> Void) throws -> TestFile {
    let file = try TestFile()
    try file.write(Old.types) { fill($0) }
    return file
  }

  private func homes(_ file: TestFile) throws -> [String] { try file.shown("Home", "name") }

  @Test(arguments: [true, false])
  func `Objects with one parent each keep everything, and their rows`(withBlock: Bool) throws {
    let file = try filled { realm in
      let bob = realm.create(Old.Person.self, value: ["Bob"])
      realm.create(
        Old.Person.self,
        value: ["Ada", ["Oslo", bob], [["A"], ["B"]], ["x": ["C"], "y": nil]] as [Any])
      realm.create(Old.Shop.self, value: ["Fish", ["Bergen"]] as [Any])
    }
    let names = Box<[String]>([])
    let block: MigrationBlock = { migration, _ in
      expectEqual(migration.oldSchema["Home"]?.isEmbedded, false)
      expectEqual(migration.newSchema["Home"]?.isEmbedded, true)
      migration.enumerateObjects(ofType: "Home") { old, new in
        expectEqual(old?["name"] as? String, new?["name"] as? String)
        names.append(text(new?["name"]))
      }
      migration.enumerateObjects(ofType: "Person") { old, new in
        for property in ["home", "homes", "places"] {
          expectEqual(shown(old?[property]), shown(new?[property]))
        }
      }
    }
    try file.migrate(New.types, to: 1, withBlock ? block : nil)
    expectEqual(names.value.sorted(), (withBlock ? ["A", "B", "Bergen", "C", "Oslo"] : []))
    try expectEqual(file.shown("Person", "home"), ["nil", "Oslo"])
    try expectEqual(file.shown("Person", "homes"), ["[]", "[A, B]"])
    try expectEqual(file.shown("Person", "places"), ["[]", "[x: C, y: nil]"])
    try expectEqual(file.shown("Shop", "home"), ["Bergen"])
    try expectEqual(homes(file).sorted(), ["A", "B", "Bergen", "C", "Oslo"])
    try expectEqual(file.shown("Home", "landlord").filter { $0 == "Bob" }.count, 1)
    try file.write(New.types, version: 1) { realm in
      realm.delete(realm.objects(New.Person.self).filter { $0.name == "Ada" })
    }
    try expectEqual(homes(file), ["Bergen"], "children go with their parents now")
  }

  @Test func `Orphans are deleted if that was chosen, and only they`() throws {
    let file = try filled { realm in
      realm.create(Old.Home.self, value: ["Nowhere"])
      realm.create(Old.Person.self, value: ["Ada", ["Oslo"], [["A"]]] as [Any])
      realm.create(Old.Home.self, value: ["Elsewhere"])
    }
    try file.migrate(New.types, to: 1) { migration, _ in
      migration.embedObjects(ofType: "Home", orphans: .delete)
    }
    try expectEqual(homes(file).sorted(), ["A", "Oslo"])
    try expectEqual(file.shown("Person", "homes"), ["[A]"])
  }

  @Test func `Shared objects are copied if that was chosen, one for each link`() throws {
    let file = try filled { realm in
      let ada = realm.create(Old.Person.self, value: ["Ada"])
      let home = realm.create(Old.Home.self, value: ["Oslo", ada] as [Any])
      let other = realm.create(Old.Home.self, value: ["Bergen"])
      ada.home = home
      ada.homes.append(objectsIn: [other, home, home])
      ada.places["x"] = home
      realm.create(Old.Shop.self, value: ["Fish", home] as [Any])
    }
    try file.migrate(New.types, to: 1) { migration, _ in
      migration.embedObjects(ofType: "Home", shared: .copy)
    }
    try expectEqual(homes(file).sorted(), ["Bergen", "Oslo", "Oslo", "Oslo", "Oslo", "Oslo"])
    try file.open(New.types, version: 1) { realm in
      let ada = try #require(realm.objects(New.Person.self).first)
      let fish = try #require(realm.objects(New.Shop.self).first)
      expectEqual(shown(ada.homes), "[Bergen, Oslo, Oslo]", "positions stay")
      let all: [New.Home?] = [
        ada.home, ada.homes[1], ada.homes[2], ada.places["x"] ?? nil, fish.home,
      ]
      expectEqual(Set(all.compactMap(\.self)).count, 5)
      expectTrue(all.allSatisfy { $0?.name == "Oslo" && $0?.landlord == ada }, "links are shared")
      try realm.write { ada.home?.name = "Changed" }
      expectEqual(fish.home?.name, "Oslo")
    }
  }

  @Test
  func `Objects embedded in a copied object are copied as well, and linked objects are not`() throws
  {
    let file = try TestFile()
    try file.write(Nested.types) { realm in
      let cy = realm.create(Nested.Person.self, value: ["Cy"])
      let home = realm.create(
        Nested.Home.self, value: ["Oslo", ["north"], [["a"], ["b"]], ["x", "y"], cy] as [Any])
      realm.create(Nested.Person.self, value: ["Ada", home] as [Any])
      realm.create(Nested.Person.self, value: ["Bob", home] as [Any])
    }
    try file.migrate(NestedEmbedded.types, to: 1) { migration, _ in
      migration.embedObjects(ofType: "Home", shared: .copy)
    }
    try file.open(NestedEmbedded.types, version: 1) { realm in
      let people = Array(realm.objects(NestedEmbedded.Person.self))
      expectEqual(people.map(\.name), ["Cy", "Ada", "Bob"])
      let ada = try #require(people[1].home)
      let bob = try #require(people[2].home)
      expectTrue(ada != bob && ada.geo != bob.geo && ada.rooms[0] != bob.rooms[0])
      for home in [ada, bob] {
        expectEqual(home.geo?.name, "north")
        expectEqual(shown(home.rooms), "[a, b]")
        expectEqual(shown(home.tags), "[x, y]")
        expectEqual(home.landlord, people[0])
      }
    }
    try expectEqual(file.shown("Geo", "name").count, 6)
    try expectEqual(file.shown("Person", "name").count, 3)
  }

  @Test func `Links of a property that is removed don't count`() throws {
    let file = try filled { realm in
      let home = realm.create(Old.Home.self, value: ["Oslo"])
      realm.create(Old.Person.self, value: ["Ada", home, [home]] as [Any])
    }
    try file.migrate([Removed.Person.self, New.Home.self], to: 1)
    try expectEqual(file.shown("Person", "homes"), ["[Oslo]"])
    try expectEqual(homes(file), ["Oslo"])
  }

  @Test func `A block may make the copies itself`() throws {
    let file = try filled { realm in
      let home = realm.create(Old.Home.self, value: ["Oslo"])
      for name in ["Ada", "Bob"] { realm.create(Old.Person.self, value: [name, home] as [Any]) }
    }
    try file.migrate(New.types, to: 1) { migration, _ in
      var seen: Set<String> = []
      migration.enumerateObjects(ofType: "Person") { old, new in
        let home = old!["home"] as! MigrationObject
        if !seen.insert(home["name"] as! String).inserted {
          new!["home"] = migration.create("Home", value: [home["name"]])
        }
      }
    }
    try file.open(New.types, version: 1) { realm in
      let people = Array(realm.objects(New.Person.self))
      expectEqual(people.map(\.home?.name), ["Oslo", "Oslo"])
      expectTrue(people[0].home != people[1].home)
    }
    try expectEqual(homes(file).count, 2)
  }

  @Test func `A block may delete what is shared, and what has no parent`() throws {
    let file = try filled { realm in
      let home = realm.create(Old.Home.self, value: ["Oslo"])
      realm.create(Old.Home.self, value: ["Nowhere"])
      for name in ["Ada", "Bob"] { realm.create(Old.Person.self, value: [name, home] as [Any]) }
    }
    try file.migrate(New.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in new!["home"] = nil }
      migration.enumerateObjects(ofType: "Home") { _, new in migration.delete(new!) }
    }
    try expectTrue(homes(file).isEmpty)
    try expectEqual(file.shown("Person", "name"), ["Ada", "Bob"])
  }

  @Test func `A block may assign an object in memory to the property`() throws {
    let file = try filled { $0.create(Old.Person.self, value: ["Ada", ["Oslo"]] as [Any]) }
    try file.migrate(New.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in
        new!["home"] = New.Home(value: ["Bergen"])
      }
      migration.embedObjects(ofType: "Home", orphans: .delete)
    }
    try expectEqual(homes(file), ["Bergen"])
  }

  @Test func `A class may lose its primary key in the same stage`() throws {
    let file = try TestFile()
    try file.write([Keyed.Owner.self, Keyed.Home.self]) { realm in
      realm.create(Keyed.Owner.self, value: [["Oslo"]] as [Any])
    }
    try file.migrate([KeyGone.Owner.self, KeyGone.Home.self], to: 1)
    try expectEqual(file.shown("Owner", "home"), ["Oslo"])
    try expectNil(file.storedSchema()["Home"]?.primaryKeyProperty)
  }

  @Test
  func `Embedded objects that become objects keep everything, and outlive their parents`() throws {
    let file = try TestFile()
    try file.write(New.types) { realm in
      realm.create(
        New.Person.self, value: ["Ada", ["Oslo"], [["A"], ["B"]], ["x": ["C"]]] as [Any])
    }
    try file.migrate(Old.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        expectTrue(shown(old?["homes"]) == "[A, B]" && shown(new?["homes"]) == "[A, B]")
      }
    }
    try expectEqual(file.shown("Person", "home"), ["Oslo"])
    try expectEqual(file.shown("Person", "places"), ["[x: C]"])
    try file.open(Old.types, version: 1) { realm in
      try realm.write { realm.delete(realm.objects(Old.Person.self)) }
      expectEqual(realm.objects(Old.Home.self).count, 4)
      try realm.write { realm.create(Old.Home.self, value: ["D"]) }
    }
    try expectEqual(homes(file).sorted(), ["A", "B", "C", "D", "Oslo"])
  }
}
