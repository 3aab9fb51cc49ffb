import Strata
import StrataTestKit
import Testing

private typealias Old = Homes.TopLevel
private typealias New = Homes.Embedded

private enum Removed {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var homes: List<New.Home>
    @Persisted var places: Map<String, New.Home?>
  }
  static let types: [ObjectBase.Type] = [Person.self, New.Home.self]
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

/// An `Object` that becomes an `EmbeddedObject`, and the other way round.
@Suite("Embedding") struct EmbeddingTests {
  private func filled(_ fill: (Realm) -> Void) throws -> TestFile {
    let file = try TestFile()
    try file.fill(Old.types, fill)
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
      #expect(migration.oldSchema["Home"]?.isEmbedded == false)
      #expect(migration.newSchema["Home"]?.isEmbedded == true)
      migration.enumerateObjects(ofType: "Home") { old, new in
        #expect(old?["name"] as? String == new?["name"] as? String)
        names.append(text(new?["name"]))
      }
      migration.enumerateObjects(ofType: "Person") { old, new in
        for property in ["home", "homes", "places"] {
          #expect(shown(old?[property]) == shown(new?[property]))
        }
      }
    }
    try file.migrate(New.types, to: 1, withBlock ? block : nil)
    #expect(names.value.sorted() == (withBlock ? ["A", "B", "Bergen", "C", "Oslo"] : []))
    #expect(try file.shown("Person", "home") == ["nil", "Oslo"])
    #expect(try file.shown("Person", "homes") == ["[]", "[A, B]"])
    #expect(try file.shown("Person", "places") == ["[]", "[x: C, y: nil]"])
    #expect(try file.shown("Shop", "home") == ["Bergen"])
    #expect(try homes(file).sorted() == ["A", "B", "Bergen", "C", "Oslo"])
    #expect(try file.shown("Home", "landlord").filter { $0 == "Bob" }.count == 1)
    try file.open(New.types, version: 1) { realm in
      try realm.write { realm.delete(realm.objects(New.Person.self).filter { $0.name == "Ada" }) }
    }
    #expect(try homes(file) == ["Bergen"], "children go with their parents now")
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
    #expect(try homes(file).sorted() == ["A", "Oslo"])
    #expect(try file.shown("Person", "homes") == ["[A]"])
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
    #expect(try homes(file).sorted() == ["Bergen", "Oslo", "Oslo", "Oslo", "Oslo", "Oslo"])
    try file.open(New.types, version: 1) { realm in
      let ada = try #require(realm.objects(New.Person.self).first)
      let fish = try #require(realm.objects(New.Shop.self).first)
      #expect(shown(ada.homes) == "[Bergen, Oslo, Oslo]", "positions stay")
      let all: [New.Home?] = [
        ada.home, ada.homes[1], ada.homes[2], ada.places["x"] ?? nil, fish.home,
      ]
      #expect(Set(all.compactMap(\.self)).count == 5)
      #expect(all.allSatisfy { $0?.name == "Oslo" && $0?.landlord == ada }, "links are shared")
      try realm.write { ada.home?.name = "Changed" }
      #expect(fish.home?.name == "Oslo")
    }
  }

  @Test
  func `Objects embedded in a copied object are copied as well, and linked objects are not`() throws
  {
    let file = try TestFile()
    try file.fill(Nested.types) { realm in
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
      #expect(people.map(\.name) == ["Cy", "Ada", "Bob"])
      let ada = try #require(people[1].home)
      let bob = try #require(people[2].home)
      #expect(ada != bob && ada.geo != bob.geo && ada.rooms[0] != bob.rooms[0])
      for home in [ada, bob] {
        #expect(home.geo?.name == "north")
        #expect(shown(home.rooms) == "[a, b]")
        #expect(shown(home.tags) == "[x, y]")
        #expect(home.landlord == people[0])
      }
    }
    #expect(try file.shown("Geo", "name").count == 6)
    #expect(try file.shown("Person", "name").count == 3)
  }

  @Test func `Links of a property that is removed don't count`() throws {
    let file = try filled { realm in
      let home = realm.create(Old.Home.self, value: ["Oslo"])
      realm.create(Old.Person.self, value: ["Ada", home, [home]] as [Any])
    }
    try file.migrate([Removed.Person.self, New.Home.self], to: 1)
    #expect(try file.shown("Person", "homes") == ["[Oslo]"])
    #expect(try homes(file) == ["Oslo"])
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
      #expect(people.map(\.home?.name) == ["Oslo", "Oslo"])
      #expect(people[0].home != people[1].home)
    }
    #expect(try homes(file).count == 2)
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
    #expect(try homes(file).isEmpty)
    #expect(try file.shown("Person", "name") == ["Ada", "Bob"])
  }

  @Test func `A block may assign an object in memory to the property`() throws {
    let file = try filled { $0.create(Old.Person.self, value: ["Ada", ["Oslo"]] as [Any]) }
    try file.migrate(New.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in
        new!["home"] = New.Home(value: ["Bergen"])
      }
      migration.embedObjects(ofType: "Home", orphans: .delete)
    }
    #expect(try homes(file) == ["Bergen"])
  }

  @Test func `A class may lose its primary key in the same stage`() throws {
    let file = try TestFile()
    try file.fill([Keyed.Owner.self, Keyed.Home.self]) { realm in
      realm.create(Keyed.Owner.self, value: [["Oslo"]] as [Any])
    }
    try file.migrate([KeyGone.Owner.self, KeyGone.Home.self], to: 1)
    #expect(try file.shown("Owner", "home") == ["Oslo"])
    #expect(try file.storedSchema()["Home"]?.primaryKeyProperty == nil)
  }

  @Test
  func `Embedded objects that become objects keep everything, and outlive their parents`() throws {
    let file = try TestFile()
    try file.fill(New.types) { realm in
      realm.create(
        New.Person.self, value: ["Ada", ["Oslo"], [["A"], ["B"]], ["x": ["C"]]] as [Any])
    }
    try file.migrate(Old.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        #expect(shown(old?["homes"]) == "[A, B]" && shown(new?["homes"]) == "[A, B]")
      }
    }
    #expect(try file.shown("Person", "home") == ["Oslo"])
    #expect(try file.shown("Person", "places") == ["[x: C]"])
    try file.open(Old.types, version: 1) { realm in
      try realm.write { realm.delete(realm.objects(Old.Person.self)) }
      #expect(realm.objects(Old.Home.self).count == 4)
      try realm.write { realm.create(Old.Home.self, value: ["D"]) }
    }
    #expect(try homes(file).sorted() == ["A", "B", "C", "D", "Oslo"])
  }
}
