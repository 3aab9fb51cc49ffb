import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The results of conditions, in a file and in memory.
@Suite struct FormatMeaningTests {
  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Q.types))
    try realm.write {
      let rex = realm.create(Q.Dog.self, value: ["name": "Rex", "age": 2])
      let fido = realm.create(Q.Dog.self, value: ["name": "Fido", "age": 3, "weight": 2.5])
      let ada = realm.create(Q.Person.self, value: ["id": 1, "name": "Ada", "age": 36])
      ada.scores.append(objectsIn: [1, 10])
      ada.points["x"] = 1
      ada.any = .int(3)
      let bob = realm.create(
        Q.Person.self, value: ["id": 2, "name": "Bob", "nick": "", "age": 40, "size": 3])
      bob.dog = rex
      bob.dogs.append(objectsIn: [rex, fido])
      bob.scores.append(objectsIn: [2, 20])
      bob.points["x"] = 2
      bob.points["a b"] = 5
      bob.any = .string("text")
      let émile = realm.create(
        Q.Person.self, value: ["id": 3, "name": "Émile", "nick": "ém", "age": 36, "size": 5])
      émile.dog = fido
    }
  }

  private func expect(
    _ format: String, _ ids: [Int], _ arguments: [Any] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let people = realm.objects(Q.Person.self)
    let predicate = NSPredicate(format: format, argumentArray: arguments)
    let found = people.filter(predicate).map(\.id)
    expectEqual(found, ids, "\(format) in the file", sourceLocation: sourceLocation)
    let remembered = Array(people).filter { predicate.evaluate(with: $0) }.map(\.id)
    expectEqual(remembered, ids, "\(format) in memory", sourceLocation: sourceLocation)
  }

  @Test(
    arguments: [
      ("nick == nil", [1]), ("nick != nil", [2, 3]), ("nick == ''", [2]), ("nick != ''", [1, 3]),
      ("nil == nick", [1]), ("size > 3", [3]), ("size < 4", [2]), ("NOT size < 4", [1, 3]),
      ("size <= nil", [1]), ("size != 3", [1, 3]), ("NOT size != 3", [2]),
      ("nick IN {nil, ''}", [1, 2]), ("NOT nick IN {nil, ''}", [3]),
      ("dog == nil", [1]), ("dog.name == nil", [1]), ("dog.name != 'Rex'", [1, 3]),
      ("dog.weight == nil", [1, 2]), ("NOT dog.age > 2", [1, 2]),
    ])
  func `Nil is a value`(_ format: String, _ ids: [Int]) throws { try expect(format, ids) }

  @Test(
    arguments: [
      ("age == 36", [1, 3]), ("36 == age", [1, 3]), ("40 <= age", [2]), ("age != 36", [2]),
      ("age IN {36, 37}", [1, 3]), ("age IN {}", []), ("NOT age IN {}", [1, 2, 3]),
      ("age BETWEEN {37, 40}", [2]), ("NOT age BETWEEN {37, 40}", [1, 3]), ("age == 36.0", [1, 3]),
      ("age == 36 AND (name == 'Ada' OR name == 'Bob')", [1]), ("TRUEPREDICATE", [1, 2, 3]),
      ("NOT TRUEPREDICATE", []), ("SELF.age == 40", [2]), ("id < size", [2, 3]),
      ("dog.age == dogs.@count", [2]), ("kind == 'cat'", [1, 2, 3]), ("isDone == NO", [1, 2, 3]),
    ])
  func `Values are compared`(_ format: String, _ ids: [Int]) throws { try expect(format, ids) }

  @Test(
    arguments: [
      ("name CONTAINS 'o'", [2]), ("name CONTAINS 'O'", []), ("name CONTAINS[c] 'O'", [2]),
      ("name CONTAINS[c] 'éM'", [3]), ("name BEGINSWITH[cd] 'e'", [3]), ("name ENDSWITH 'a'", [1]),
      ("name BEGINSWITH 'É'", [3]), ("name CONTAINS ''", []), ("NOT name CONTAINS ''", [1, 2, 3]),
      ("name LIKE '?d*'", [1]), ("name LIKE[c] 'b?B'", [2]), ("name LIKE '?mile'", [3]),
      ("nick LIKE ''", [2]), ("nick LIKE nil", [1]), ("nick BEGINSWITH nil", []),
      ("name ==[c] 'ADA'", [1]), ("name ==[d] 'Emile'", [3]), ("name !=[c] 'ada'", [2, 3]),
      ("name IN[c] {'ADA', 'bob'}", [1, 2]), ("name < 'B'", [1]), ("name >= 'Bob'", [2, 3]),
      ("name CONTAINS[c] nick", [3]), ("name CONTAINS nick", []),
    ])
  func `Texts are compared`(_ format: String, _ ids: [Int]) throws { try expect(format, ids) }

  @Test(
    arguments: [
      ("ANY dogs.name == 'Fido'", [2]), ("NONE dogs.name == 'Fido'", [1, 3]),
      ("ALL dogs.age > 1", [1, 2, 3]), ("ALL dogs.age > 2", [1, 3]), ("ANY dogs.age != 2", [2]),
      ("NOT ANY dogs.age == 2", [1, 3]), ("ANY dogs.weight == nil", [2]),
      ("dogs.@count == 0", [1, 3]), ("dogs.@count > 0", [2]), ("dogs.@sum.age == 5", [2]),
      ("dogs.@avg.age == 2.5", [2]), ("dogs.@min.age == nil", [1, 3]), ("dogs.@max.age >= 3", [2]),
      ("scores.@sum == 22", [2]), ("scores.@count != 2", [3]), ("scores.@max == nil", [3]),
      ("10 IN scores", [1]), ("ANY scores > 5", [1, 2]), ("ALL scores > 5", [3]),
      ("ANY scores BETWEEN {2, 10}", [1, 2]), ("ANY scores IN {1, 20}", [1, 2]),
      ("SUBQUERY(dogs, $d, $d.age == 2 AND $d.name == 'Fido').@count == 0", [1, 2, 3]),
      ("SUBQUERY(dogs, $d, $d.age > 1).@count == 2", [2]),
      ("SUBQUERY(dogs, $d, $d.age == size).@count == 1", [2]),
      ("SUBQUERY(dogs, $d, ANY $d.owners.age == age).@count > 0", [2]),
      ("points['x'] == 1", [1]), ("points['x'] == nil", [3]), ("points['a b'] > 4", [2]),
      ("ANY points.@allKeys == 'x'", [1, 2]), ("ANY points.@allValues > 1", [2]),
      ("points.@count == 2", [2]), ("ANY dog.owners.name == 'Bob'", [2, 3]),
      ("dog.owners.@count == 1", [2, 3]), ("dog.owners.@count == 0", [1]),
    ])
  func `Collections are searched`(_ format: String, _ ids: [Int]) throws {
    try expect(format, ids)
  }

  @Test(
    arguments: [
      ("#any == 3", [1]), ("#any == 3.0", [1]), ("#any == 'text'", [2]), ("#any == nil", [3]),
      ("#any > 2", [1]), ("#any != 3", [2, 3]), ("#any CONTAINS 'ex'", [2]),
      ("#any IN {3, 'text'}", [1, 2]),
    ])
  func `Values of any type are compared`(_ format: String, _ ids: [Int]) throws {
    try expect(format, ids)
  }

  @Test func `Arguments are objects and lists of them`() throws {
    let people = realm.objects(Q.Person.self)
    let dogs = realm.objects(Q.Dog.self)
    try expect("dog == %@", [2], [dogs[0]])
    try expect("dog != %@", [1, 3], [dogs[0]])
    try expect("dog IN %@", [2, 3], [Array(dogs)])
    try expect("dog IN %@", [2, 3], [dogs])
    try expect("ANY dogs == %@", [2], [dogs[1]])
    try expect("%@ IN dogs", [2], [dogs[1]])
    try expect("SELF == %@", [3], [people[2]])
    try expect("SELF IN %@", [1, 3], [[people[0], people[2]]])
    try expect("dog == %@", [], [Q.Dog()])
    try expect("name IN %@ AND age > %d", [2], [["Bob", "Ada"], 36])
    try expect("born < %@", [1, 2, 3], [Date()])
  }
}
