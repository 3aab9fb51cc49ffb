import Foundation
import GRDB
import StrataTestKit
import Testing

@testable import Strata

/// A program that has some of the classes of its file, and reads the others by names.
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
    #expect(realm.schema.objectSchema.map(\.className) == ["Dog", "Home", "Owner"])
    #expect(realm.schema["Dog"]?["mother"] == nil)
    let ada = try #require(realm.dynamicObject(ofType: "Owner", forPrimaryKey: 1))
    let dogs = ada.dynamicList("dogs")
    #expect(dogs.map { $0["name"] as? String } == ["Rex", "Max", "Rex"])
    // An object of a class of the program is one.
    #expect(ada["favourite"] is Dog)
    #expect((ada["note"] as? Dog)?.age == 3)
    #expect(realm.dynamicObjects("Owner").filter("ANY dogs.age == 3").count == 1)
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
    #expect((ada["favourite"] as? Dog)?.name == "Typed")
    let typed = try #require(realm.objects(Dog.self).filter("name == 'Typed'").first)
    #expect(typed.note.dynamicObject?["name"] as? String == "Ada")
    #expect(realm.objects(Dog.self).filter("note == %@", ada).count == 1)
    try realm.write { realm.delete(typed) }
    #expect(ada["favourite"] == nil)
  }

  @Test func `Without the setting a value of an unknown class is nothing`() throws {
    do {
      let realm = try open()
      let ada = try #require(realm.dynamicObjects("Owner").first?.object)
      try realm.write {
        realm.objects(Dog.self)[0].note = AnyRealmValue.converting(ada) ?? .none
      }
    }
    #expect(try open(.none).objects(Dog.self)[0].note.rawValue == nil)
    #expect(try open().objects(Dog.self)[0].note.dynamicObject?["name"] as? String == "Ada")
  }

  @Test func `Classes that the program has all of are its own`() throws {
    var configuration = folder.configuration(Known.types, version: 3)
    configuration.dynamicClasses = .others
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Known.Owner.self).first?.dogs.count == 3)
    #expect(realm.configuration.dynamicClasses == .others)
    let again = try #require(realm.objects(Known.Dog.self).first?.realm?.configuration)
    #expect(again.dynamicClasses == .others)
    #expect(again.objectTypes?.count == 3)
    #expect(try Realm(configuration: again) == realm)
  }

  @Test func `A new file has the program's classes`() throws {
    let folder = try TestFolder()
    var configuration = folder.configuration([Dog.self])
    configuration.dynamicClasses = .others
    let realm = try Realm(configuration: configuration)
    #expect(realm.schema.objectSchema.map(\.className) == ["Dog"])
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
    #expect(object["a\"b"] as? Int == 5)
    #expect(object["order"] as? String == "x")
    #expect(realm.dynamicObjects("select").filter("%K == 5", "a\"b").count == 1)
    try realm.write { object["a\"b"] = 6 }
    #expect(
      try folder.sql { try Int.fetchAll($0, sql: "SELECT \"a\"\"b\" FROM \"select\"") } == [6])
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
