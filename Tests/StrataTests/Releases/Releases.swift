import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// The old release of a program, whose version is 1.
enum OldRelease {
  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 7
    @Persisted var email: String?
    @Persisted var tags: List<String>
    @Persisted var friend: Person?
    @Persisted var home: Home?
  }

  final class Home: EmbeddedObject {
    @Persisted var street = ""
  }

  static let types: [ObjectBase.Type] = [Person.self, Home.self]
}

/// A file that an old and a new release of a program use.
final class Releases {
  let folder: TestFolder
  let newTypes: [ObjectBase.Type]
  var newBlock: MigrationBlock?
  var change: (inout Realm.Configuration) -> Void = { _ in }
  var changeNew: (inout Realm.Configuration) -> Void = { _ in }

  init(_ newTypes: [ObjectBase.Type], _ newBlock: MigrationBlock? = { _, _ in }) throws {
    folder = try TestFolder()
    self.newTypes = newTypes
    self.newBlock = newBlock
  }

  var old: Realm.Configuration {
    var configuration = folder.configuration(OldRelease.types, version: 1)
    configuration.opensNewerVersions = true
    change(&configuration)
    return configuration
  }

  var new: Realm.Configuration {
    var configuration = folder.configuration(newTypes, version: 2, newBlock)
    change(&configuration)
    changeNew(&configuration)
    return configuration
  }

  /// Makes the file as the old release, with two people.
  func makeOld() throws {
    let realm = try Realm(configuration: old)
    try realm.write {
      let ann = realm.create(
        OldRelease.Person.self,
        value: ["id": 1, "name": "Ann", "age": 40, "tags": ["a", "b"], "home": ["street": "High"]])
      realm.create(OldRelease.Person.self, value: ["id": 2, "name": "Bob", "friend": ann])
    }
  }

  /// Opens the file as another process would: with connections of its own.
  func beside<Result>(
    _ configuration: Realm.Configuration, _ body: (Realm) throws -> Result = { _ in }
  ) throws -> Result {
    let store = try StoreOpener(ResolvedConfiguration(configuration)).open()
    return try body(Realm(session: store.session(), configuration: configuration))
  }

  /// Runs the new release beside what is open.
  @discardableResult
  func runNew<Result>(_ body: (Realm) throws -> Result = { _ in }) throws -> Result {
    try beside(new, body)
  }
}

/// The work of the old release.
enum OldWork {
  /// Reads and queries what ``Releases/makeOld()`` has made.
  static func read(_ realm: Realm) throws {
    realm.refresh()
    let people = realm.objects(OldRelease.Person.self)
    expectEqual(people.count, 2)
    let ann = try #require(people.where { $0.name == "Ann" }.first)
    expectEqual(ann.age, 40)
    expectEqual(Array(ann.tags), ["a", "b"])
    expectEqual(ann.home?.street, "High")
    expectEqual(people.sorted(byKeyPath: "age").map(\.name), ["Bob", "Ann"])
    expectEqual(people.where { $0.friend.name == "Ann" }.first?.id, 2)
    expectEqual(people.where { $0.tags.contains("b") }.count, 1)
    expectEqual(people.sum(of: \.age), 47)
    expectEqual(Array(people.values(\.name)).sorted(), ["Ann", "Bob"])
  }

  /// Changes an object, and takes the change back.
  static func change(_ realm: Realm) throws {
    let ann = try #require(realm.object(ofType: OldRelease.Person.self, forPrimaryKey: 1))
    try realm.write {
      ann.age = 41
      ann.tags.append("c")
      ann.home?.street = "Low"
      ann.email = "ann@example.org"
    }
    expectEqual(ann.age, 41)
    try realm.write {
      ann.age = 40
      ann.tags.removeLast()
      ann.home?.street = "High"
      ann.email = nil
    }
    try read(realm)
  }

  /// Adds objects in three ways, and deletes them.
  static func insert(_ realm: Realm) throws {
    try realm.write {
      let eve = realm.create(
        OldRelease.Person.self, value: ["id": 3, "name": "Eve", "home": ["street": "Side"]])
      realm.create(OldRelease.Person.self, value: ["id": 4, "friend": eve], update: .modified)
      for id in 5..<50 {
        let person = OldRelease.Person()
        person.id = id
        realm.add(person)
      }
    }
    expectEqual(realm.objects(OldRelease.Person.self).count, 49)
    try realm.write {
      realm.delete(realm.objects(OldRelease.Person.self).where { $0.id > 2 })
    }
    try read(realm)
  }
}
