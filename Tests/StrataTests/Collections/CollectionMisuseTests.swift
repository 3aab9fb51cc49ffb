import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Changes of collections whose object is gone.
@Suite("Misuse of collections")
struct CollectionMisuseTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// A person in a file, with a number in a list.
  static func person(_ folder: TestFolder) throws -> (Realm, Graph.Person) {
    let realm = try Realm(configuration: folder.configuration(Graph.types))
    let ada = try realm.write {
      realm.create(Graph.Person.self, value: ["name": "Ada", "numbers": [1]])
    }
    return (realm, ada)
  }

  @Test
  func `The list of a deleted object is empty, and a change of it is what write throws`() throws {
    let (realm, ada) = try Self.person(folder)
    let numbers = ada.numbers
    try realm.write { realm.delete(ada) }
    expectTrue(numbers.isInvalidated)
    expectTrue(numbers.isEmpty)
    expectError("Object has been deleted or invalidated. ('Person.numbers')") {
      try realm.write { numbers.append(3) }
    }
  }

  @Test
  func `A list in a value of a deleted object is empty, and a change of it is what write throws`()
    throws
  {
    let realm = try Realm(configuration: folder.configuration(Shelf.types))
    let shelf = try realm.write { realm.create(Shelf.Setting.self, value: ["value": [1, 2]]) }
    let list = try #require(shelf.value.listValue)
    for isBefore in [true, false] {
      expectError("Object has been deleted or invalidated. ('Setting.value')") {
        try realm.write {
          if isBefore { realm.delete(shelf) }
          list.append(.int(3))
        }
      }
      expectEqual(realm.objects(Shelf.Setting.self).count, (isBefore ? 1 : 0))
      if isBefore { try realm.write { realm.delete(realm.objects(Shelf.Setting.self)) } }
    }
    expectTrue(list.isInvalidated && list.isEmpty)
  }

  @Test(arguments: [false, true])
  func `A set isn't compared with that of a deleted object, which would empty it`(
    _ subtracts: Bool
  ) throws {
    let (realm, ada) = try Self.person(folder)
    let bob = try realm.write {
      ada.tags.insert("a")
      return realm.create(Graph.Person.self, value: ["name": "Bob", "tags": ["a"]])
    }
    let tags = bob.tags
    try realm.write { realm.delete(bob) }
    expectError("Object has been deleted or invalidated.") {
      try realm.write {
        if subtracts { ada.tags.subtract(tags) } else { ada.tags.formIntersection(tags) }
      }
    }
    expectEqual(Array(ada.tags), ["a"])
    let inMemory = MutableSet<String>()
    inMemory.insert("b")
    withKnownIssue { inMemory.formIntersection(tags) }
    expectEqual(Array(inMemory), ["b"])
  }

  /// Changes of collections, by the name of the property.
  private static let changes: [(name: String, change: @Sendable (Graph.Person) -> () -> Void)] = [
    ("numbers", { person in { [list = person.numbers] in list.append(2) } }),
    ("numbers", { person in { [list = person.numbers] in list.insert(2, at: 0) } }),
    ("dogs", { person in { [list = person.dogs] in list.append(Graph.Dog(value: [1])) } }),
    ("past", { person in { [list = person.past] in list.append(Graph.Address()) } }),
    ("tags", { person in { [set = person.tags] in set.insert("a") } }),
    ("scores", { person in { [map = person.scores] in map["a"] = 1 } }),
  ]

  @Test(arguments: changes.indices)
  func `A change of a collection whose object another thread deleted is what write throws`(
    index: Int
  ) throws {
    let (realm, ada) = try Self.person(folder)
    let (name, change) = Self.changes[index]
    let append = change(ada)
    let configuration = realm.configuration
    try inThread(configuration) { other in
      try other.write { other.deleteAll() }
    }
    expectError("Object has been deleted or invalidated. ('Person.\(name)')") {
      try realm.write { append() }
    }
    expectTrue(realm.isEmpty)
  }

  @Test(arguments: changes.indices)
  func `A change of a collection of an object that was taken back is what write throws`(
    index: Int
  ) throws {
    let (realm, _) = try Self.person(folder)
    let (name, change) = Self.changes[index]
    realm.beginWrite()
    let append = change(realm.create(Graph.Person.self))
    realm.cancelWrite()
    expectError("Object has been deleted or invalidated. ('Person.\(name)')") {
      try realm.write { append() }
    }
  }
}
