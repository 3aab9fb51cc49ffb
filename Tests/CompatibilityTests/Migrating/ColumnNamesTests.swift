import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var firstName = ""
    @Persisted var age: Int?
    override class func propertiesMapping() -> [String: String] {
      ["id": "_id", "firstName": "first_name", "age": "custom age"]
    }
  }
}

private enum Renamed {
  class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var firstName = ""
    @Persisted var age: Int?
    override class func propertiesMapping() -> [String: String] {
      ["id": "person_id", "firstName": "name 1", "age": "years"]
    }
  }
}

private enum Plain {
  class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var firstName = ""
    @Persisted var age: Int?
  }
}

/// `propertiesMapping()`: the names in the file differ from the names in the class.
@Suite("Column names") struct ColumnNamesTests {
  private func filled(_ type: Object.Type = V0.Person.self) throws -> TestFile {
    let file = try TestFile()
    try file.write([type]) { realm in
      realm.create(type, value: ["id": 1, "firstName": "Ada", "age": 36])
      realm.create(type, value: ["id": 2, "firstName": "Bob"])
    }
    return file
  }

  private func check(_ file: TestFile) throws {
    try file.open([Renamed.Person.self], version: 1) { realm in
      let people = realm.objects(Renamed.Person.self)
      expectEqual(people.map(\.firstName), ["Ada", "Bob"])
      expectEqual(people.map(\.age), [36, nil])
      expectEqual(realm.object(ofType: Renamed.Person.self, forPrimaryKey: 2)?.firstName, "Bob")
      expectEqual(people.sorted(byKeyPath: "firstName", ascending: false).first?.id, 2)
    }
    let names = try #require(try file.storedSchema()["Person"]?.names)
    expectEqual(names.sorted(), ["name 1", "person_id", "years"])
  }

  @Test func `The program uses the names of the class, and the file has the others`() throws {
    let file = try filled()
    try file.open([V0.Person.self]) { realm in
      expectEqual(realm.object(ofType: V0.Person.self, forPrimaryKey: 1)?.firstName, "Ada")
      expectEqual(realm.objects(V0.Person.self).sum(ofProperty: "age"), 36)
      expectEqual(realm.schema["Person"]?["firstName"]?.columnName, "first_name")
    }
    let stored = try #require(try file.storedSchema()["Person"])
    expectEqual(stored.names.sorted(), ["_id", "custom age", "first_name"])
    expectEqual(stored.primaryKeyProperty?.name, "_id")
  }

  @Test func `Old objects have the names of the file, and new ones those of the class`() throws {
    let file = try filled()
    let seen = Box<[String]>([])
    try file.migrate([V0.Person.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        seen.append("\(text(old?["first_name"])) \(text(new?["firstName"]))")
        new?["age"] = (old?["custom age"] as? Int).map { $0 + 1 }
      }
      migration.create("Person", value: ["id": 3, "firstName": "Cy", "age": 1])
    }
    expectEqual(seen.value, ["Ada Ada", "Bob Bob"])
    try file.open([V0.Person.self], version: 1) { realm in
      expectEqual(realm.objects(V0.Person.self).map(\.age), [37, nil, 1])
    }
  }

  @Test func `The name of the class on an old object is a mistake`() throws {
    let file = try filled()
    let error = try file.failure([V0.Person.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, _ in _ = old?["firstName"] }
    }
    expectTrue(error.message.hasPrefix("Invalid property name 'firstName' for class 'Person'."))
  }

  @Test func `A higher version alone keeps everything`() throws {
    let file = try filled()
    try file.migrate([V0.Person.self], to: 1)
    try file.open([V0.Person.self], version: 1) { realm in
      expectEqual(realm.objects(V0.Person.self).map(\.firstName), ["Ada", "Bob"])
      expectEqual(realm.objects(V0.Person.self).map(\.age), [36, nil])
    }
  }

  @Test func `Another mapping is a change, with the names of the file`() throws {
    let file = try filled()
    let error = try file.failure([Renamed.Person.self], to: 0)
    expectEqual(error.code, .schemaMismatch)
    for line in [
      "Property 'Person._id' has been removed.", "Property 'Person.person_id' has been added.",
      "Primary Key for class 'Person' has changed from '_id' to 'person_id'.",
    ] {
      expectTrue(error.message.contains(line))
    }
  }

  @Test func `Renames use the names of the file`() throws {
    let file = try filled()
    try file.migrate([Renamed.Person.self], to: 1) { migration, _ in
      migration.renameProperty(onType: "Person", from: "_id", to: "person_id")
      migration.renameProperty(onType: "Person", from: "first_name", to: "name 1")
      migration.renameProperty(onType: "Person", from: "custom age", to: "years")
    }
    try check(file)
  }

  @Test func `Renames lead from the names of the class to others`() throws {
    let file = try filled(Plain.Person.self)
    try file.migrate([Renamed.Person.self], to: 1) { migration, _ in
      migration.renameProperty(onType: "Person", from: "id", to: "person_id")
      migration.renameProperty(onType: "Person", from: "firstName", to: "name 1")
      migration.renameProperty(onType: "Person", from: "age", to: "years")
    }
    try check(file)
  }

  @Test func `A rename with the names of the class is refused`() throws {
    let file = try filled()
    let error = try file.failure([Renamed.Person.self], to: 1) { migration, _ in
      migration.renameProperty(onType: "Person", from: "firstName", to: "name 1")
    }
    expectEqual(
      error.message, "Cannot rename property 'Person.firstName' because it does not exist.")
  }
}
