import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// A program that has some of the classes of its file, and reads the others by name.
@Suite struct OtherClassesTests {
  private let folder: TestFolder

  /// Of a later version of the program, which lost the other classes.
  private final class Dog: Object {
    @Persisted(indexed: true) var name = ""
    @Persisted var age: Int?
    @Persisted(fullText: true) var story = ""
    @Persisted var note: AnyRealmValue
  }

  init() throws {
    folder = try TestFolder()
    try folder.open(Known.types, version: 3) { try Known.fill($0) }
  }

  private func open(
    _ dynamic: DynamicClasses = .others, version: UInt64 = 4
  ) throws -> Realm {
    var configuration = folder.configuration([Dog.self], version: version)
    configuration.dynamicClasses = dynamic
    return try Realm(configuration: configuration)
  }

  @Test func `The program's classes are migrated, and the rest is added`() throws {
    let realm = try open()
    expectEqual(realm.schema.objectSchema.map(\.className), ["Dog", "Home", "Owner"])
    expectNil(realm.schema["Dog"]?["mother"])
    let ada = try #require(realm.dynamicObject(ofType: "Owner", forPrimaryKey: 1))
    let dogs = ada.dynamicList("dogs")
    expectEqual(dogs.map { $0["name"] as? String }, ["Rex", "Max", "Rex"])
    // An object of a class of the program is one.
    expectTrue(ada["favourite"] is Dog)
    expectEqual((ada["note"] as? Dog)?.age, 3)
    expectEqual(realm.dynamicObjects("Owner").filter("ANY dogs.age == 3").count, 1)
  }

  @Test func `Links lead from a class of the file to one of the program, and values back`() throws {
    let realm = try open()
    let ada = try #require(realm.dynamicObjects("Owner").first)
    try realm.write {
      let dog = realm.create(Dog.self, value: ["name": "Typed"])
      ada["favourite"] = dog
      ada.dynamicList("dogs").append(DynamicObject(showing: dog))
      dog.note = AnyRealmValue.converting(ada.object) ?? .none
    }
    expectEqual((ada["favourite"] as? Dog)?.name, "Typed")
    let typed = try #require(realm.objects(Dog.self).filter("name == 'Typed'").first)
    expectEqual(typed.note.dynamicObject?["name"] as? String, "Ada")
    expectEqual(realm.objects(Dog.self).filter("note == %@", ada).count, 1)
    try realm.write { realm.delete(typed) }
    expectNil(ada["favourite"])
  }

  @Test func `Without the setting a value of an unknown class is nothing`() throws {
    do {
      let realm = try open()
      let ada = try #require(realm.dynamicObjects("Owner").first?.object)
      try realm.write {
        realm.objects(Dog.self)[0].note = AnyRealmValue.converting(ada) ?? .none
      }
    }
    try expectNil(open(.none).objects(Dog.self)[0].note.rawValue)
    try expectEqual(open().objects(Dog.self)[0].note.dynamicObject?["name"] as? String, "Ada")
  }

  @Test func `Classes that the program has all of are its own`() throws {
    var configuration = folder.configuration(Known.types, version: 3)
    configuration.dynamicClasses = .others
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(Known.Owner.self).first?.dogs.count, 3)
    expectEqual(realm.configuration.dynamicClasses, .others)
    let again = try #require(realm.objects(Known.Dog.self).first?.realm?.configuration)
    expectEqual(again.dynamicClasses, .others)
    expectEqual(again.objectTypes?.count, 3)
    try expectEqual(Realm(configuration: again), realm)
  }

  @Test func `A new file has the program's classes`() throws {
    let folder = try TestFolder()
    var configuration = folder.configuration([Dog.self])
    configuration.dynamicClasses = .others
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.schema.objectSchema.map(\.className), ["Dog"])
  }

  @Test func `Names are those of tables and columns`() throws {
    let folder = try TestFolder()
    try folder.open([Named.self], version: 0) {
      let realm = $0
      try realm.write { _ = realm.create(Named.self, value: ["first": 5, "second": "x"]) }
    }
    var configuration = Realm.Configuration(fileURL: folder.file)
    configuration.dynamicClasses = .all
    let realm = try Realm(configuration: configuration)
    let object = try #require(realm.dynamicObjects("select").first)
    expectEqual(object["a\"b"] as? Int, 5)
    expectEqual(object["order"] as? String, "x")
    expectEqual(realm.dynamicObjects("select").filter("%K == 5", "a\"b").count, 1)
    try realm.write { object["a\"b"] = 6 }
    try expectEqual(
      folder.sql { try Int.fetchAll($0, sql: "SELECT \"a\"\"b\" FROM \"select\"") }, [6])
  }

  private final class Named: Object {
    @Persisted var first = 0
    @Persisted var second = ""
    override class func _realmObjectName() -> String? { "select" }
    override class func propertiesMapping() -> [String: String] {
      ["first": "a\"b", "second": "order"]
    }
  }
}
