import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Objects in no file")
struct ObjectTests {
  class Animal: Object {
    @Persisted var name = "nameless"
    @Persisted var born: Date?
  }

  final class Dog: Animal {
    @Persisted(indexed: true) var breed = ""
    @Persisted var tricks: Int8 = 3
    @Persisted var secret = ""
    var barks = 0
    lazy var loud = "LOUD"

    override static func primaryKey() -> String? { "name" }
    override static func indexedProperties() -> [String] { ["tricks"] }
    override static func ignoredProperties() -> [String] { ["secret"] }
    override static func propertiesMapping() -> [String: String] { ["breed": "dog_breed"] }
  }

  enum Nested {
    final class Deep: Object { @Persisted var x = 0 }
  }

  @Test func `The properties of a superclass come first, in the order of declaration`() {
    let schema = Dog().objectSchema
    expectEqual(schema.properties.map(\.name), ["name", "born", "breed", "tricks"])
    expectEqual(schema.properties.map(\.columnName), ["name", "born", "dog_breed", "tricks"])
    expectEqual(schema.primaryKeyProperty?.name, "name")
    expectTrue(schema["breed"]?.isIndexed == true && schema["tricks"]?.isIndexed == true)
    expectTrue(schema["born"]?.isOptional == true && schema["born"]?.type == .date)
    expectEqual(schema["tricks"]?.type, .int)
    expectTrue(Dog.className() == "Dog" && Nested.Deep.className() == "Deep")
  }

  @Test func `Objects have an identity for views, which the realm knows`() throws {
    final class Row: Object, ObjectKeyIdentifiable { @Persisted var name = "" }
    func identify<Value: Identifiable>(_ value: Value) -> Value.ID { value.id }
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([Row.self]))
    let (first, second) = (Row(), Row())
    expectTrue(first.id == first.id && first.id != second.id)
    try realm.write { realm.add([first, second]) }
    expectEqual(realm.objects(Row.self).map { identify($0) }, [first.id, second.id])
    expectTrue(first.id != second.id)
  }

  @Test func `Defaults don't get in the way of what is read from a file`() throws {
    final class Counted: Object {
      nonisolated(unsafe) static var evaluations = 0
      @Persisted(primaryKey: true) var id = Counted.next()
      @Persisted(indexed: true) var indexed = Counted.next()
      @Persisted var stamp = Counted.next()
      static func next() -> Int {
        evaluations += 1
        return evaluations
      }
    }
    let folder = try TestFolder()
    try folder.open([Counted.self]) { realm in
      try realm.write { for _ in 0..<10 { realm.create(Counted.self) } }
      let before = Counted.evaluations
      expectEqual(Set(realm.objects(Counted.self).map(\.stamp)).count, 10)
      // Defaults of keys and of indexed properties are not evaluated.
      expectEqual(Counted.evaluations, before + 10)
      expectTrue(realm.objects(Counted.self).allSatisfy { $0.stamp <= before && $0.id <= before })
    }
  }
}
