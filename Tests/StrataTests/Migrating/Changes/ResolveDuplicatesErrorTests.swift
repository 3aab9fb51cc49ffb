import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The errors of `resolveDuplicates`.
@Suite("Errors of resolving duplicates")
struct ResolveDuplicatesErrorTests {
  enum Old {
    class Person: Object {
      @Persisted var id = 0
      @Persisted var friend: Person?
      @Persisted var any: AnyRealmValue
      @Persisted var when = Date()
      @Persisted var tags: List<String>
      @Persisted var home: Address?
    }
    class Plain: Object {
      @Persisted var id = 0
    }
    class Gone: Object {
      @Persisted var id = 0
    }
    class Address: EmbeddedObject {
      @Persisted var id = 0
    }
  }

  enum New {
    class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var friend: Person?
      @Persisted var any: AnyRealmValue
      @Persisted var when = Date()
      @Persisted var tags: List<String>
      @Persisted var home: Address?
    }
    class Plain: Object {
      @Persisted var id = 0
    }
    class Address: EmbeddedObject {
      @Persisted var id = 0
    }
    static let types: [ObjectBase.Type] = [Person.self, Plain.self, Address.self]
  }

  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([Old.Person.self, Old.Plain.self, Old.Address.self, Old.Gone.self]) { realm in
      for _ in 0..<2 {
        realm.create(Old.Person.self, value: ["id": 7])
        realm.create(Old.Gone.self)
      }
    }
  }

  enum Mistake: CaseIterable {
    case unknownClass, removedClass, embedded, noKey, unknownProperty, wrongType, collection
    case unknownOrder, link, mixed, list, deletesSurvivor

    func make(_ migration: Migration) {
      func resolve(_ type: String, _ property: String? = nil) {
        migration.resolveDuplicates(ofType: type, property: property, keeping: .first)
      }
      switch self {
      case .unknownClass: resolve("Nobody")
      case .removedClass: resolve("Gone")
      case .embedded: resolve("Address", "id")
      case .noKey: resolve("Plain")
      case .unknownProperty: resolve("Person", "x")
      case .wrongType: resolve("Person", "when")
      case .collection: resolve("Person", "tags")
      case .unknownOrder: migration.resolveDuplicates(ofType: "Person", keeping: .greatest("x"))
      case .link: migration.resolveDuplicates(ofType: "Person", keeping: .least("friend"))
      case .mixed: migration.resolveDuplicates(ofType: "Person", keeping: .greatest("any"))
      case .list: migration.resolveDuplicates(ofType: "Person", keeping: .greatest("tags"))
      case .deletesSurvivor:
        migration.resolveDuplicates(
          ofType: "Person", keeping: .merging { survivor, _ in migration.delete(survivor) })
      }
    }

    var message: String {
      let start = "Cannot resolve duplicates of"
      let order = "Cannot keep the object with the greatest or least"
      let properties =
        "Invalid property name 'x' for class 'Person'. It has: id, friend, any, when, tags, home."
      func type(_ name: String, _ type: String) -> String {
        "\(start) 'Person.\(name)': a property of type '\(type)' can't be a primary key. Use one of "
          + "type 'int', 'string', 'object id' or 'uuid'."
      }
      func unordered(_ name: String, _ type: String) -> String {
        "\(order) 'Person.\(name)': values of type '\(type)' have no order. Use a property of another "
          + "type, or '.merging'."
      }
      return switch self {
      case .unknownClass:
        "\(start) 'Nobody': it is not a class of the program. It has: Address, Person, Plain."
      case .removedClass:
        "\(start) 'Gone': it is not a class of the program. It has: Address, Person, Plain."
      case .embedded:
        "\(start) 'Address': its objects are embedded, and links to an embedded object can't be "
          + "moved to another one. Delete the duplicates, or change their values, in "
          + "'enumerateObjects'."
      case .noKey:
        "\(start) 'Plain': it has no primary key. Say which values are to be unique, with "
          + "'resolveDuplicates(ofType: \"Plain\", property: \"…\", keeping: …)'."
      case .unknownProperty, .unknownOrder: properties
      case .wrongType: type("when", "date")
      case .collection: type("tags", "array<string>")
      case .link: unordered("friend", "<Person>")
      case .mixed: unordered("any", "mixed")
      case .list: unordered("tags", "array<string>")
      case .deletesSurvivor:
        "The closure of 'merging' has deleted the remaining object ('Person' 1). Delete no "
          + "objects in the closure: the duplicates are deleted afterwards."
      }
    }
  }

  @Test(arguments: Mistake.allCases)
  func `Each error has its text, and leaves the file as it was`(_ mistake: Mistake) throws {
    let error = try folder.expectUntouched(New.types, version: 1) { migration, _ in
      mistake.make(migration)
    }
    expectEqual(error?.code, .fail)
    expectEqual(error?.message, mistake.message)
  }

  @Test
  func `Keys that are made equal again afterwards are refused after the block, as always`() throws {
    let error = try folder.expectUntouched(New.types, version: 1) { migration, _ in
      migration.resolveDuplicates(ofType: "Person", keeping: .first)
      migration.create("Person", value: ["id": 7])
    }
    expectEqual(
      error?.message.contains(
        "Primary key property 'Person.id' has duplicate values after migration.\n"
          + "- 7 occurs 2 times (_id 1, 3)"), true)
  }
}
