import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Elements that are appended one by one. The library writes several with one statement, and no
/// reader may see a list without them.
@Suite struct AppendedElementsTests {
  typealias Person = Kennel.Person
  typealias Dog = Kennel.Dog

  private let folder: TestFolder
  private let realm: Realm
  private let person: Person

  init() throws {
    folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration(Kennel.classes))
    let person = Person()
    try realm.write { realm.add(person) }
    self.realm = realm
    self.person = person
  }

  private func positions(_ table: String) throws -> [Int64] {
    try folder.sql {
      try Int64.fetchAll($0, sql: "SELECT position FROM \(table) ORDER BY position")
    }
  }

  @Test(arguments: [1, 31, 32, 33, 255, 256, 257, 1_000])
  func `Each element is in the file, in order`(count: Int) throws {
    try realm.write {
      for number in 0..<count { person.numbers.append(number) }
    }
    expectEqual(Array(person.numbers), Array(0..<count))
    try expectEqual(positions("Person_numbers"), (0..<Int64(count)).map { $0 })
  }

  @Test func `The transaction sees them at once, by every way`() throws {
    try realm.write {
      for number in 0..<40 {
        person.numbers.append(number)
        expectEqual(person.numbers.count, number + 1)
        expectEqual(person.numbers.last, number)
        expectEqual(person.numbers[number], number)
        expectTrue(person.numbers.contains(number))
      }
      person.numbers.append(40)
      expectEqual(Array(person.numbers).count, 41)
      person.numbers.append(41)
      expectEqual(realm.objects(Person.self).first!.numbers.count, 42)
      person.numbers.append(42)
      expectEqual(realm.objects(Person.self).where { $0.numbers.contains(42) }.count, 1)
      person.numbers.append(43)
      expectEqual(person.numbers.max(), 43)
      person.numbers.append(44)
      let found = try realm.withDatabase {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM Person_numbers")
      }
      expectEqual(found, 45)
    }
  }

  @Test func `Objects that are new arrive with their elements`() throws {
    let other = Person()
    try realm.write {
      realm.add(other)
      for index in 0..<100 {
        let dog = Dog("Rex \(index)")
        person.dogs.append(dog)
        other.dogs.append(dog)
      }
    }
    expectEqual(person.dogs.map(\.name), (0..<100).map { "Rex \($0)" })
    expectEqual(Array(other.dogs), Array(person.dogs))
    expectEqual(realm.objects(Dog.self).count, 100)
    expectEqual(person.dogs[50].owners.count, 2)
  }

  @Test func `An element that is deleted before it is written is gone`() throws {
    try realm.write {
      let dogs = (0..<10).map { Dog("Rex \($0)") }
      for dog in dogs { person.dogs.append(dog) }
      realm.delete(dogs[3])
      person.dogs.append(Dog("Last"))
    }
    expectEqual(person.dogs.map(\.name), (0..<10).filter { $0 != 3 }.map { "Rex \($0)" } + ["Last"])
  }

  @Test func `Two lists take turns`() throws {
    try realm.write {
      for number in 0..<100 {
        person.numbers.append(number)
        person.doubles.append(Double(number))
      }
    }
    expectEqual(Array(person.numbers), Array(0..<100))
    expectEqual(Array(person.doubles), (0..<100).map { Double($0) })
  }

  @Test func `What a cancelled transaction appended is forgotten`() throws {
    realm.beginWrite()
    for number in 0..<10 { person.numbers.append(number) }
    realm.cancelWrite()
    expectTrue(person.numbers.isEmpty)
    try realm.write { person.numbers.append(1) }
    expectEqual(Array(person.numbers), [1])
  }

  @Test func `The owner can be deleted with elements that are not written yet`() throws {
    try realm.write {
      for number in 0..<10 { person.numbers.append(number) }
      realm.delete(person)
    }
    try expectEqual(positions("Person_numbers"), [])
  }
}
