import Foundation
import Strata
import StrataTestKit

/// The classes of each version of the example's second program, as its files were written with.
enum PetOwnersFixture {
  static let types: [[ObjectBase.Type]] = [
    [V0.Person.self], [V1.Person.self], [V2.Person.self, V2.Dog.self],
    [V3.Person.self, V3.Pet.self], [V4.Person.self, V4.Pet.self, V4.Address.self],
    [V5.Person.self, V5.Pet.self, V5.Address.self],
  ]

  enum V0 {
    class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = 0
    }
  }

  enum V1 {
    class Person: Object {
      @Persisted var fullName = ""
      @Persisted var age = 0
    }
  }

  enum V2 {
    class Person: Object {
      @Persisted var fullName = ""
      @Persisted var age = 0
      @Persisted var dogs: List<Dog>
    }
    class Dog: Object {
      @Persisted var name = ""
    }
  }

  enum Kind: String, PersistableEnum {
    case dog, cat, bird
  }

  enum V3 {
    class Person: Object {
      @Persisted var fullName = ""
      @Persisted var age = 0
      @Persisted var pets: List<Pet>
    }
    class Pet: Object {
      @Persisted var name = ""
      @Persisted var kind = Kind.dog
    }
  }

  enum V4 {
    class Person: Object {
      @Persisted var fullName = ""
      @Persisted var age = 0
      @Persisted var pets: List<Pet>
      @Persisted var address: Address?
    }
    class Pet: Object {
      @Persisted var name = ""
      @Persisted var kind = Kind.dog
    }
    class Address: Object {
      @Persisted var street = ""
      @Persisted var city = ""
      @Persisted(originProperty: "address") var residents: LinkingObjects<Person>
    }
  }

  enum V5 {
    class Person: Object {
      @Persisted var fullName = ""
      @Persisted var age = 0
      @Persisted var pets: List<Pet>
      @Persisted var address: Address?
    }
    class Pet: Object {
      @Persisted var name = ""
      @Persisted var kind = Kind.dog
    }
    class Address: EmbeddedObject {
      @Persisted var street = ""
      @Persisted var city = ""
      @Persisted(originProperty: "address") var residents: LinkingObjects<Person>
    }
  }
}

extension PetOwnersFixture {
  /// The data that files of the first versions don't have.
  private static let pets: [(owner: String?, name: String, kind: Kind)] = [
    ("Ines Duarte", "Bruno", Kind.dog), ("Ines Duarte", "Kiwi", .bird),
    ("Tomas Lind", "Mochi", .cat), (nil, "Rusty", .dog),
  ]

  /// The migration block that migrates files of every older version to the newest one.
  static let migrationBlock: MigrationBlock = { migration, oldVersion in
    func create(_ name: String) -> MigrationObject {
      let kind = pets.first { $0.name == name }?.kind
      return migration.create("Pet", value: ["name": name, "kind": kind ?? .dog] as [String: Any])
    }
    migration.enumerateObjects(ofType: "Person") { old, new in
      if oldVersion == 0 { new!["fullName"] = "\(old!["firstName"]!) \(old!["lastName"]!)" }
      let name = new!["fullName"] as? String
      if oldVersion < 2 {
        new!["pets"] = pets.filter { $0.owner == name }.map { create($0.name) }
      }
      if oldVersion < 4, name == "Ines Duarte" {
        new!["address"] = ["street": "7 Quay Street", "city": "Porto"]
      }
    }
    if oldVersion < 2 { _ = create("Rusty") }
    if oldVersion == 2 {
      var created: [MigrationObject: MigrationObject] = [:]
      migration.enumerateObjects(ofType: "Dog") { dog, _ in
        created[dog!] = create(dog!["name"] as! String)
      }
      migration.enumerateObjects(ofType: "Person") { old, new in
        new!["pets"] = (old!["dogs"] as! List<MigrationObject>).map { created[$0]! }
      }
      migration.deleteData(forType: "Dog")
    }
    if oldVersion == 4 { migration.embedObjects(ofType: "Address", orphans: .delete) }
  }
}

/// A copy of the file of a version.
struct PetOwnersFile {
  private let file: TestFile

  init(_ version: UInt64) throws { file = try TestFile(fixture: "PetOwners-v\(version)") }

  var url: URL { file.url }
  var bytes: Data { get throws { try file.bytes } }
  var folderContents: [String] { get throws { try file.folderContents } }

  /// Opens the file as a program of a version does, and closes it.
  func open(
    at version: UInt64, _ block: MigrationBlock? = nil, with types: [ObjectBase.Type]? = nil,
    _ body: (Realm) throws -> Void
  ) throws {
    try file.open(types ?? PetOwnersFixture.types[Int(version)], version: version, block, body)
  }
}
