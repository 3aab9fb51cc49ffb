import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// Properties that SQLite computes.
@Suite("Transforming")
struct TransformTests {
  enum Kind: String, PersistableEnum { case cat, dog }

  enum V1 {
    class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = 0
      @Persisted var email: String?
      @Persisted var since = Date(timeIntervalSince1970: 0)
      @Persisted var size: Decimal128 = 0
      @Persisted var score = 0.0
      @Persisted var kind = Kind.cat
      @Persisted var friend: Person?
      @Persisted var tags: List<String>
      @Persisted var home: Address?
    }
    class Address: EmbeddedObject {
      @Persisted var street = ""
      @Persisted var number = 0
    }
    static let types: [ObjectBase.Type] = [Person.self, Address.self]
  }

  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write(V1.types) { realm in
      let ada = realm.create(
        V1.Person.self,
        value: [
          "firstName": "Ada", "lastName": "O'Hara", "age": 36, "email": "a@x",
          "since": Date(timeIntervalSince1970: 1.5), "size": "1.50" as Decimal128,
          "score": 0.1, "kind": Kind.dog, "tags": ["x", "y"],
          "home": ["street": "Quay", "number": 7],
        ] as [String: Any])
      realm.create(
        V1.Person.self,
        value: ["firstName": "Bob", "lastName": "ß", "age": -9, "friend": ada])
    }
  }

  enum Sorted {
    class Person: Object {
      @Persisted var firstName = ""
      @Persisted var isBoth = false
      @Persisted var isEither = false
      @Persisted var isNot = false
      @Persisted var group = ""
    }
    static let types: [ObjectBase.Type] = [Person.self]
  }

  static let conditions: [MigrationBlock] = [
    { migration, _ in
      migration.transform(V1.Person.self, Sorted.Person.self) { old, new in
        new.isBoth = old.age > 0 && old.email != nil
        new.isEither = old.age < 0 || old.email == "a@x"
        new.isNot = !(old.age > 0)
        // The divisor is zero where the first condition is false.
        new.group = .when(old.age != -9 && 100 / (old.age + 9) > 0, then: "old", else: "young")
      }
    },
    { migration, _ in
      migration.transform("Person") { old, new in
        new["isBoth"] = old["age"] > 0 && old["email"] != nil
        new["isEither"] = old["age"] < 0 || old["email"] == "a@x"
        new["isNot"] = !(old["age"] > 0)
        new["group"] = .when(
          old["age"] != -9 && 100 / (old["age"] + 9) > 0, then: "old", else: "young")
      }
    },
  ]

  @Test(arguments: [0, 1])
  func `Conditions are joined as in Swift, and the second one is computed only where it decides`(
    form: Int
  ) throws {
    try folder.open(Sorted.types, version: 1, Self.conditions[form]) { realm in
      let people = Array(realm.objects(Sorted.Person.self))
      expectEqual(people.map(\.isBoth), [true, false])
      expectEqual(people.map(\.isEither), [true, true])
      expectEqual(people.map(\.isNot), [false, true])
      expectEqual(people.map(\.group), ["old", "young"])
    }
  }

  enum Joined {
    class Person: Object {
      @Persisted var fullName = ""
      @Persisted var age = ""
      @Persisted var email = ""
      @Persisted var since: Date?
      @Persisted var measure: Decimal128 = 0
      @Persisted var score = 0
      @Persisted var kind = Kind.cat
      @Persisted var friend: Person?
      @Persisted var tags: List<String>
      @Persisted var home: Address?
      @Persisted var level = 4
    }
    class Address: EmbeddedObject {
      @Persisted var street = ""
      @Persisted var number = 0
    }
    static let types: [ObjectBase.Type] = [Person.self, Address.self]
  }

  private func expectJoined(_ realm: Realm) throws {
    let people = Array(realm.objects(Joined.Person.self))
    expectEqual(people.map(\.fullName), ["Ada O'Hara", "Bob ß"])
    expectEqual(people.map(\.age), ["36", "-9"])
    expectEqual(people.map(\.email), ["a@x", "Bob@"])
    expectEqual(
      people.map(\.since), [Date(timeIntervalSince1970: 1.5), Date(timeIntervalSince1970: 0)])
    expectEqual(people.map(\.measure.exactText), ["1.50", "0"])
    expectEqual(people.map(\.score), [74, -18])
    expectEqual(people.map(\.kind), [.dog, .cat])
    expectEqual(people.map(\.level), [4, 4])
    expectEqual(people[1].friend, people[0])
    expectTrue(Array(people[0].tags) == ["x", "y"] && people[0].home?.number == 7)
  }

  static let typed: MigrationBlock = { migration, _ in
    migration.transform(V1.Person.self, Joined.Person.self) { old, new in
      new.fullName = old.firstName + " " + old.lastName
      new.age = old.age.text
      new.email = old.email ?? old.firstName + "@"
      new.since = old.since
      new.measure = old.size
      new.score = .when(old.age > 0, then: (old.age + 1) * 2, else: old.age * 2)
    }
  }

  static let named: MigrationBlock = { migration, _ in
    migration.transform("Person") { old, new in
      new["fullName"] = old["firstName"] + " " + old["lastName"]
      new["age"] = old["age"].text
      new["email"] = old["email"] ?? old["firstName"] + "@"
      new["since"] = old["since"]
      new["measure"] = old["size"]
      new["score"] = .when(old["age"] > 0, then: (old["age"] + 1) * 2, else: old["age"] * 2)
    }
  }

  @Test(arguments: [typed, named])
  func `Expressions are computed on the way to another table, by classes and by names`(
    _ block: @escaping MigrationBlock
  ) throws {
    let lines = Lines()
    var configuration = folder.configuration(Joined.types, version: 1, block)
    configuration.logger = lines.logger
    try expectJoined(Realm(configuration: configuration))
    expectEqual(lines.operations.filter { $0.contains("'Person'") }, ["Rebuild table 'Person'."])
    try expectEqual(folder.problems(), [])
    let dump = try folder.dump()
    try folder.open(Joined.types, version: 1) { _ in }
    try expectEqual(folder.dump(), dump)
  }

  @Test func `Expressions are computed in place, where the table stays`() throws {
    enum V2 {
      class Person: Object {
        @Persisted var firstName = ""
        @Persisted var lastName = ""
        @Persisted var age = 0
        @Persisted var email: String?
        @Persisted var since = Date(timeIntervalSince1970: 0)
        @Persisted var size: Decimal128 = 0
        @Persisted var score = 0.0
        @Persisted var kind = Kind.cat
        @Persisted var friend: Person?
        @Persisted var tags: List<String>
        @Persisted var home: Address?
        @Persisted var initials = ""
        @Persisted var token = UUID()
      }
      class Address: EmbeddedObject {
        @Persisted var street = ""
        @Persisted var number = 0
        @Persisted var line = ""
      }
    }
    let lines = Lines()
    var configuration = folder.configuration([V2.Person.self, V2.Address.self], version: 1) {
      migration, _ in
      migration.transform(V1.Person.self, V2.Person.self) { old, new in
        // All are computed of the row as it was.
        new.firstName = old.lastName
        new.lastName = old.firstName
        new.initials = .when(
          old.since < .value(Date(timeIntervalSince1970: 1)), then: "?", else: old.firstName)
        new.email = nil
        new.score = old.score + 0.2
      }
      migration.transform("Address") { old, new in
        new["line"] = old["street"] + " " + old["number"].text
      }
    }
    configuration.logger = lines.logger
    let realm = try Realm(configuration: configuration)
    let people = Array(realm.objects(V2.Person.self))
    expectTrue(
      people.map(\.firstName) == ["O'Hara", "ß"] && people.map(\.lastName) == ["Ada", "Bob"])
    expectTrue(people.map(\.initials) == ["Ada", "?"] && people.map(\.email) == [nil, nil])
    expectEqual(people.map(\.score), [0.1 + 0.2, 0.2])
    expectEqual(Set(people.map(\.token)).count, 2)
    expectEqual(people[0].home?.line, "Quay 7")
    expectFalse(lines.operations.contains { $0.contains("Rebuild") })
    expectTrue(
      lines.operations.contains(
        "Set columns 'firstName', 'lastName', 'initials', 'email', 'score' of 'Person'."))
    try expectEqual(folder.problems(), [])
  }

  @Test func `Transforms come before loops, creations, deletions and renames`() throws {
    let block: MigrationBlock = { migration, version in
      try Self.typed(migration, version)
      var seen: [String] = []
      migration.enumerateObjects(ofType: "Person") { old, new in
        seen.append("\(old!["firstName"]!) \(old!["age"]!) \(new!["fullName"]!) \(new!["age"]!)")
        new!["fullName"] = (new!["fullName"] as! String) + "!"
        if old!["age"] as? Int == 36 { migration.delete(new!) }
      }
      expectEqual(seen, ["Ada 36 Ada O'Hara 36", "Bob -9 Bob ß -9"])
      migration.create("Person", value: ["fullName": "Carla", "age": "3"])
    }
    try folder.open(Joined.types, version: 1, block) { realm in
      let people = Array(realm.objects(Joined.Person.self))
      expectEqual(people.map(\.fullName), ["Bob ß!", "Carla"])
      expectTrue(people.map(\.email) == ["Bob@", ""] && people[0].friend == nil)
    }
    try expectEqual(folder.count(of: "Address"), 0)
    try expectEqual(folder.problems(), [])
  }

  @Test func `A renamed class, its columns and a new key can be transformed`() throws {
    enum V2 {
      class Human: Object {
        @Persisted(primaryKey: true) var key = ""
        @Persisted var years: Int?
        @Persisted var friend: Human?
        override class func propertiesMapping() -> [String: String] { ["years": "the \"years\""] }
      }
    }
    let types: [ObjectBase.Type] = [V2.Human.self, V1.Address.self]
    let error = try folder.expectUntouched(types, version: 1) { migration, _ in
      migration.transform(V1.Person.self, V2.Human.self) { old, new in new.key = old.firstName }
    }
    expectEqual(
      error?.message,
      "Cannot transform 'Human': it is another class than 'Person' of the file. Call "
        + "'renameClass(from: \"Person\", to: \"Human\")' before.")
    try folder.open(types, version: 1) { migration, _ in
      migration.renameClass(from: "Person", to: "Human")
      migration.transform(V1.Person.self, V2.Human.self) { old, new in
        new.key = old.firstName + old.age.text
        new.years = old.lastName.int ?? old.age.optional
      }
    } _: { realm in
      expectEqual(realm.objects(V2.Human.self).map(\.years), [36, -9])
      expectEqual(realm.object(ofType: V2.Human.self, forPrimaryKey: "Bob-9")?.friend?.key, "Ada36")
    }
    try expectEqual(folder.problems(), [])
  }

  @Test func `A key is checked after the block, and may be repaired before`() throws {
    enum V2 {
      class Person: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var firstName = ""
      }
    }
    let block: MigrationBlock = { migration, _ in
      migration.transform("Person") { old, new in new["id"] = old["age"] * 0 }
    }
    let error = try folder.expectUntouched([V2.Person.self], version: 1, block)
    expectEqual(error?.message.contains("- 0 occurs 2 times (_id 1, 2)"), true)
    try folder.open([V2.Person.self], version: 1) { migration, version in
      try block(migration, version)
      migration.resolveDuplicates(ofType: "Person", keeping: .last)
    } _: { realm in
      expectEqual(realm.objects(V2.Person.self).map(\.firstName), ["Bob"])
    }
  }

  @Test
  func `Classes and properties of any name, and texts of any content are transformed`() throws {
    enum Odd {
      class Old: Object {
        @Persisted var a = ""
        @Persisted var b = 0
        override class func className() -> String { "x\" || 'y' --" }
        override class func propertiesMapping() -> [String: String] {
          ["a": "\"'; --", "b": "select"]
        }
      }
      class New: Object {
        @Persisted var c = ""
        @Persisted var b = ""
        override class func className() -> String { "x\" || 'y' --" }
        override class func propertiesMapping() -> [String: String] {
          ["c": "where\"", "b": "select"]
        }
      }
    }
    let folder = try TestFolder()
    try folder.write([Odd.Old.self]) { realm in
      realm.create(Odd.Old.self, value: ["a": "it's \0 \"x\"", "b": 5])
    }
    try folder.open([Odd.New.self], version: 1) { migration, _ in
      migration.transform(Odd.Old.self, Odd.New.self) { old, new in
        new.c = "'; DROP TABLE x; -- \0" + old.a + "名"
        new.b = old.b.text
      }
    } _: { realm in
      let object = realm.objects(Odd.New.self).first
      expectEqual(object?.b, "5")
      expectEqual(object?.c, "'; DROP TABLE x; -- \0it's \0 \"x\"名")
    }
  }

  @Test func `Columns of other programs stay`() throws {
    try folder.execute(
      "ALTER TABLE Person ADD COLUMN extra TEXT; UPDATE Person SET extra = firstName || age")
    try folder.open(Joined.types, version: 1, Self.typed) { try expectJoined($0) }
    try expectEqual(
      folder.texts("SELECT extra FROM Person ORDER BY _id"),
      ["Ada36", "Bob-9"])
  }
}
