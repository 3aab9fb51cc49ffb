import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Models with a property of each kind of collection.
enum Kennel {
  final class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 1
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>

    convenience init(_ name: String, age: Int = 1) {
      self.init()
      self.name = name
      self.age = age
    }
  }

  final class Address: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var lines: List<String>
  }

  enum Size: Int, PersistableEnum { case small = 1, large = 2 }

  struct Price: CustomPersistable {
    var cents: Int
    init(cents: Int) { self.cents = cents }
    init(persistedValue: Int) { cents = persistedValue }
    var persistableValue: Int { cents }
  }

  final class CornerObject: EmbeddedObject {
    @Persisted var x = 0
    @Persisted var y = 0
  }

  struct Corner: CustomPersistable {
    var x: Int
    var y: Int
    init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }
    init(persistedValue: CornerObject) { (x, y) = (persistedValue.x, persistedValue.y) }
    var persistableValue: CornerObject { CornerObject(value: [x, y]) }
  }

  final class Person: Object {
    @Persisted var name = "Ada"
    @Persisted var friend: Person?
    @Persisted var address: Address?
    @Persisted var formerAddresses: List<Address>
    @Persisted var dogs: List<Dog>
    @Persisted var numbers: List<Int>
    @Persisted var optionals: List<Int?>
    @Persisted var doubles: List<Double>
    @Persisted var dates: List<Date>
    @Persisted var decimals: List<Decimal128>
    @Persisted var sizes: List<Size>
    @Persisted var prices: List<Price>
    @Persisted var corners: List<Corner>
    @Persisted var cornersByName: Map<String, Corner>
    @Persisted var anything: AnyRealmValue
    @Persisted var anythings: List<AnyRealmValue>
    @Persisted var tags: MutableSet<String>
    @Persisted var digits: MutableSet<Int>
    @Persisted var pack: MutableSet<Dog>
    @Persisted var mixedSet: MutableSet<AnyRealmValue>
    @Persisted var scores: Map<String, Int>
    @Persisted var optionalScores: Map<String, Int?>
    @Persisted var dogsByName: Map<String, Dog?>
    @Persisted var homes: Map<String, Address?>
    @Persisted var extras: Map<String, AnyRealmValue>
  }

  static let classes: [ObjectBase.Type] = [
    Person.self, Dog.self, Address.self, CornerObject.self,
  ]

  /// Whether ``inMemoryAndInFile(_:)`` and ``inFile(_:)`` run their closures on a realm.
  static let runsInFile = true

  /// Runs a closure on a new object in no realm, and on one in a realm, inside of `write`.
  static func inMemoryAndInFile(_ body: (Person) throws -> Void) throws {
    try body(Person())
    try inFile { realm in
      let person = Person()
      realm.add(person)
      try body(person)
    }
  }

  /// Runs a closure on a realm with the classes, inside of `write`.
  static func inFile(_ body: (Realm) throws -> Void) throws {
    guard runsInFile else { return }
    let folder = try TestFolder()
    try folder.write(classes) { realm in try body(realm) }
    try expectTrue(folder.isSound())
  }
}
