import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Several objects with the same key, of which one stays.
@Suite("Resolving duplicates")
struct ResolveDuplicatesTests {
  enum Old {
    class Person: Object {
      @Persisted var id: Int?
      @Persisted var name = ""
      @Persisted var email: String?
      @Persisted var seen = Date(timeIntervalSince1970: 0)
      @Persisted var score: Decimal128 = 0
      @Persisted var friend: Person?
      @Persisted var friends: List<Person>
      @Persisted var home: Address?
      @Persisted var homes: List<Address>
    }
    class Club: Object {
      @Persisted var head: Person?
      @Persisted var members: List<Person>
      @Persisted var guests: MutableSet<Person>
      @Persisted var roles: Map<String, Person?>
      @Persisted var note: AnyRealmValue
      @Persisted var notes: List<AnyRealmValue>
      @Persisted var set: MutableSet<AnyRealmValue>
      @Persisted var map: Map<String, AnyRealmValue>
    }
    class Address: EmbeddedObject {
      @Persisted var city = ""
      @Persisted var tags: List<String>
    }
    static let types: [ObjectBase.Type] = [Person.self, Club.self, Address.self]
  }

  enum New {
    class Person: Object {
      @Persisted(primaryKey: true) var id: Int?
      @Persisted var name = ""
      @Persisted var email: String?
      @Persisted var seen = Date(timeIntervalSince1970: 0)
      @Persisted var score: Decimal128 = 0
      @Persisted var friend: Person?
      @Persisted var friends: List<Person>
      @Persisted var home: Address?
      @Persisted var homes: List<Address>
      @Persisted var note: AnyRealmValue
    }
    class Club: Object {
      @Persisted var head: Person?
      @Persisted var members: List<Person>
      @Persisted var guests: MutableSet<Person>
      @Persisted var roles: Map<String, Person?>
      @Persisted var note: AnyRealmValue
      @Persisted var notes: List<AnyRealmValue>
      @Persisted var set: MutableSet<AnyRealmValue>
      @Persisted var map: Map<String, AnyRealmValue>
    }
    typealias Address = Old.Address
    static let types: [ObjectBase.Type] = [Person.self, Club.self, Address.self]
  }

  let folder: TestFolder

  /// Identities: a 1, b 2, c 3, d 4, e 5, f 6, g 7. The keys of a, c and f are 1; the keys of d and
  /// g are nil.
  init() throws {
    folder = try TestFolder()
    try folder.write(Old.types) { realm in
      func add(_ name: String, _ id: Int?, _ seen: Double, _ score: Decimal128) -> Old.Person {
        let person = Old.Person()
        person.name = name
        person.id = id
        person.seen = Date(timeIntervalSince1970: seen)
        person.score = score
        person.home = Old.Address(value: ["city": "of \(name)", "tags": ["x"]] as [String: Any])
        person.homes.append(Old.Address(value: ["city": "second of \(name)"]))
        realm.add(person)
        return person
      }
      let a = add("a", 1, -5, 9)
      let b = add("b", 2, 0, 0)
      let c = add("c", 1, 100_000_000_000, 10)
      _ = add("d", nil, 3, 1)
      let e = add("e", 3, 0, 0)
      let f = add("f", 1, 7, -100)
      let g = add("g", nil, 3, 1)
      a.friend = f
      b.friend = c
      c.friend = c
      b.friends.append(objectsIn: [f, b, c, a, e])
      let club = realm.create(Old.Club.self)
      club.head = f
      club.members.append(objectsIn: [c, e, a, f, g])
      club.guests.insert(objectsIn: [a, c, f, b, g])
      club.roles["first"] = c
      club.roles["second"] = b
      club.note = .object(g)
      club.notes.append(objectsIn: [.int(3), .object(f), .object(b)])
      club.set.insert(objectsIn: [.object(a), .object(c), .int(3), .object(e)])
      club.map["k"] = .object(c)
      let other = realm.create(Old.Club.self)
      other.guests.insert(objectsIn: [c, f])
      other.set.insert(objectsIn: [.object(c), .object(f)])
    }
  }

  private func names(_ realm: Realm) -> [String] { realm.objects(New.Person.self).map(\.name) }

  @Test func `Links of all kinds lead to the object that survives`() throws {
    let block: MigrationBlock = { migration, _ in
      let done = migration.resolveDuplicates(ofType: "Person", keeping: .first)
      expectTrue(done.groupCount == 2 && done.removedCount == 3)
      // b.friend, two of b.friends, club.head, three members, a guest, a role, note, one of notes,
      // one of the map; a guest and an element of the other club. A link of an object that goes is
      // none.
      expectEqual(done.movedLinkCount, 15)
      expectEqual(
        done.groups.map { [$0.survivor] + $0.removed }, [[1, 3, 6], [4, 7]])
      expectEqual(done.groups.map(\.value), [.integer(1), .null])
    }
    try folder.open(New.types, version: 1, block) { realm in
      expectEqual(names(realm), ["a", "b", "d", "e"])
      let people = Array(realm.objects(New.Person.self))
      let (a, b, d, e) = (people[0], people[1], people[2], people[3])
      expectTrue(a.friend == a && b.friend == a)
      expectEqual(Array(b.friends), [a, b, a, a, e])
      let clubs = Array(realm.objects(New.Club.self))
      let club = clubs[0]
      expectEqual(club.head, a)
      expectEqual(Array(club.members), [a, e, a, a, d])
      expectTrue(Set(club.guests.map(\.name)) == ["a", "b", "d"] && club.guests.count == 3)
      expectTrue(club.roles["first"] == .some(a) && club.roles["second"] == .some(b))
      expectEqual(club.note.object(New.Person.self), d)
      expectTrue(club.notes[0] == .int(3) && club.notes[1].object(New.Person.self) == a)
      expectEqual(club.notes[2].object(New.Person.self), b)
      expectTrue(club.set.count == 3 && club.set.contains(.object(a)) && club.set.contains(.int(3)))
      expectEqual(club.map["k"]?.object(New.Person.self), a)
      expectTrue(Array(clubs[1].guests) == [a] && clubs[1].set.count == 1)
    }
    // Embedded objects of the deleted duplicates are deleted, with their lists.
    try expectEqual(folder.count(of: "Address"), 8)
    try expectEqual(folder.count(of: "Address_tags"), 4)
    try expectEqual(folder.count(of: "Person_homes"), 4)
    try expectEqual(folder.problems(), [])
    let dump = try folder.dump()
    try folder.open(New.types, version: 1) { _ in }
    try expectEqual(folder.dump(), dump)
  }

  @Test(
    arguments: [
      ("first", ["a", "b", "d", "e"]), ("last", ["b", "e", "f", "g"]),
      ("greatest seen", ["b", "c", "d", "e"]), ("least seen", ["a", "b", "d", "e"]),
      ("greatest score", ["b", "c", "d", "e"]), ("least score", ["b", "d", "e", "f"]),
      ("greatest email", ["a", "b", "d", "e"]), ("least id", ["a", "b", "d", "e"]),
    ])
  func `An object survives by its place, or by the order of a property`(
    _ choice: String, _ expected: [String]
  ) throws {
    try folder.open(New.types, version: 1) { migration, _ in
      let words = choice.split(separator: " ").map(String.init)
      let survivor: Migration.Survivor<Never> =
        switch words[0] {
        case "first": .first
        case "last": .last
        case "greatest": .greatest(words[1])
        default: .least(words[1])
        }
      migration.resolveDuplicates(ofType: "Person", keeping: survivor)
    } _: { realm in
      expectEqual(names(realm), expected)
      let sorted = realm.objects(New.Club.self).first?.members.map(\.id)
      expectEqual(sorted, [1, 3, 1, 1, nil])
    }
    try expectEqual(folder.problems(), [])
  }

  @Test func `A nil is the smallest value`() throws {
    try folder.execute("UPDATE Person SET email = 'x' WHERE name IN ('c', 'g')")
    for (least, expected) in [(true, ["a", "b", "d", "e"]), (false, ["b", "c", "e", "g"])] {
      let copy = try TestFolder()
      try FileManager.default.copyItem(at: folder.file, to: copy.file)
      try copy.open(New.types, version: 1) { migration, _ in
        migration.resolveDuplicates(
          ofType: "Person", keeping: least ? .least("email") : .greatest("email"))
      } _: { realm in
        expectEqual(names(realm), expected)
      }
    }
  }

  @Test func `A closure gives the survivor what the others have`() throws {
    try folder.execute("UPDATE Person SET email = name || '@x' WHERE name IN ('c', 'f', 'g')")
    var shown: [[String]] = []
    let block: MigrationBlock = { migration, _ in
      var groups: [[String]] = []
      migration.enumerateObjects(ofType: "Person") { _, new in new!["note"] = "seen" }
      let done = migration.resolveDuplicates(
        ofType: "Person",
        keeping: .merging { survivor, duplicates in
          groups.append(([survivor] + duplicates).map { $0["name"] as! String })
          for duplicate in duplicates where survivor["email"] == nil {
            survivor["email"] = duplicate["email"]
          }
          let friends = survivor["friends"] as! List<MigrationObject>
          friends.append(objectsIn: duplicates)
          survivor["home"] = ["city": "Oslo"]
          survivor["name"] = groups[groups.count - 1].joined()
          if survivor["id"] == nil { survivor["id"] = 77 }
        })
      expectEqual(done.groups.map(\.removed), [[3, 6], [7]])
      expectEqual(groups, [["a", "c", "f"], ["d", "g"]])
    }
    try folder.open(New.types, version: 1, block) { realm in
      expectEqual(names(realm), ["acf", "b", "dg", "e"])
      let people = Array(realm.objects(New.Person.self))
      expectEqual(people.map(\.email), ["c@x", nil, "g@x", nil])
      expectEqual(people.map(\.id), [1, 2, 77, 3])
      expectEqual(Array(people[0].friends), [people[0], people[0]])
      expectEqual(people[0].home?.city, "Oslo")
      expectTrue(people.allSatisfy { $0.note == .string("seen") })
      shown.append(people.map(\.name))
    }
    expectEqual(shown.count, 1)
    try expectEqual(folder.count(of: "Address"), 8)
    try expectEqual(folder.problems(), [])
  }

  @Test func `An error of the closure reaches the caller, and nothing was done`() throws {
    struct Stop: Error, Equatable {}
    let before = try folder.dump()
    #expect(throws: Stop.self) {
      try folder.open(New.types, version: 1) { migration, _ in
        try migration.resolveDuplicates(
          ofType: "Person",
          keeping: .merging { survivor, duplicates in
            survivor["name"] = "x"
            if duplicates.count == 1 { throw Stop() }
          })
      } _: { _ in
      }
    }
    try expectEqual(folder.dump(), before)
  }

  @Test
  func `Resolving sees what the block wrote before, and later loops skip deleted objects`() throws {
    try folder.open(New.types, version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        if old!["name"] as? String == "e" { new!["id"] = 2 }
      }
      let created = migration.create("Person", value: ["id": 2, "name": "h"])
      migration.enumerateObjects(ofType: "Club") { _, new in
        (new!["members"] as! List<MigrationObject>).append(created)
      }
      let done = migration.resolveDuplicates(ofType: "Person", keeping: .last)
      expectEqual(done.groups.map(\.value), [.integer(1), .integer(2), .null])
      var seen: [String] = []
      migration.enumerateObjects(ofType: "Person") { old, new in
        seen.append(old!["name"] as! String)
        new!["name"] = (new!["name"] as! String) + "!"
      }
      expectEqual(seen, ["f", "g"])
      expectEqual(migration.resolveDuplicates(ofType: "Person", keeping: .first).groupCount, 0)
    } _: { realm in
      expectEqual(names(realm), ["f!", "g!", "h"])
      expectEqual(
        realm.objects(New.Club.self).first?.members.map(\.name),
        [
          "f!", "h", "f!", "f!", "g!", "h",
        ])
    }
    try expectEqual(folder.problems(), [])
  }

  @Test
  func `Duplicates are resolved inside of a loop over the class, and of a closure that merges`()
    throws
  {
    try folder.open(New.types, version: 1) { migration, _ in
      var seen: [String] = []
      migration.enumerateObjects(ofType: "Person") { old, new in
        seen.append(new!["name"] as! String)
        new!["email"] = "set"
        guard seen.count == 1 else { return }
        migration.resolveDuplicates(
          ofType: "Person",
          keeping: .merging { survivor, _ in
            migration.resolveDuplicates(ofType: "Person", property: "name", keeping: .first)
            survivor["name"] = "merged"
          })
      }
      expectEqual(seen, ["a", "b", "merged", "e"])
    } _: { realm in
      expectEqual(names(realm), ["merged", "b", "merged", "e"])
      expectTrue(realm.objects(New.Person.self).allSatisfy { $0.email == "set" })
    }
    try expectEqual(folder.problems(), [])
  }

  @Test
  func `Values of another property decide, also of one renamed and retyped in the same block`()
    throws
  {
    enum V2 {
      class Person: Object {
        @Persisted(primaryKey: true) var key = ""
        @Persisted var label = ""
      }
      class Club: Object {
        @Persisted var head: Person?
        @Persisted var members: List<Person>
      }
      class Address: EmbeddedObject {
        @Persisted var city = ""
      }
    }
    try folder.open([V2.Person.self, V2.Club.self, V2.Address.self], version: 1) { migration, _ in
      migration.renameProperty(onType: "Person", from: "name", to: "label")
      migration.enumerateObjects(ofType: "Person") { old, new in
        new!["key"] = old!["id"].map { "\($0)" } ?? "none"
        if new!["label"] as? String == "e" { new!["label"] = "b" }
      }
      migration.resolveDuplicates(ofType: "Person", property: "label", keeping: .last)
      migration.resolveDuplicates(ofType: "Person", keeping: .greatest("label"))
    } _: { realm in
      let people = realm.objects(V2.Person.self)
      expectEqual(people.map(\.key), ["3", "1", "none"])
      expectEqual(people.map(\.label), ["b", "f", "g"])
      expectEqual(
        realm.objects(V2.Club.self).first?.members.map(\.key), ["1", "3", "1", "1", "none"])
    }
    try expectEqual(folder.problems(), [])
  }
}
