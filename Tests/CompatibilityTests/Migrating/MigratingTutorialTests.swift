import Foundation
import Strata
import TestKit
import Testing

/// The errors and the code in docs/migrating.md.
@Suite struct MigratingTutorialTests {
  private let document: String

  init() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    document = try String(
      contentsOf: folder.appendingPathComponent("../../../docs/migrating.md"), encoding: .utf8)
  }

  /// A mistake on the way from one version to another, which the document shows the error of.
  struct Mistake: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: UInt64
    var new: UInt64 = 5
    var forgetsVersion = false
    var block: MigrationBlock?
  }

  private static let mistakes =
    (0..<5).map { version in
      Mistake(
        testDescription: "the version \(version + 1) is forgotten", old: version,
        new: version + 1, forgetsVersion: true)
    } + [
      Mistake(testDescription: "no person lives at the address", old: 4),
      Mistake(testDescription: "an address is shared", old: 4) { migration, _ in
        var first: MigrationObject?
        migration.enumerateObjects(ofType: "Person") { _, newObject in
          if first == nil { first = newObject!["address"] as? MigrationObject }
          newObject!["address"] = first
        }
        migration.embedObjects(ofType: "Address", orphans: .delete)
      },
      Mistake(testDescription: "there was no address to embed", old: 3) { migration, _ in
        migration.embedObjects(ofType: "Address", orphans: .delete)
      },
      Mistake(testDescription: "an embedded object without parent", old: 3) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { _, newObject in
          newObject!["address"] = migration.create("Address", value: ["city": "Porto"])
        }
      },
      Mistake(testDescription: "objects of the old side", old: 2) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
          newObject!["pets"] = oldObject!["dogs"]
        }
      },
      Mistake(testDescription: "a rename to another class", old: 2) { migration, _ in
        migration.renameProperty(onType: "Person", from: "dogs", to: "pets")
      },
      Mistake(testDescription: "an old property on the new side", old: 0) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { _, newObject in
          newObject!["fullName"] = newObject!["firstName"]
        }
      },
    ]

  @Test(arguments: mistakes)
  func `Each error of the tutorial is the real one`(mistake: Mistake) throws {
    let file = try PetOwnersFile(mistake.old)
    let before = try file.bytes
    let error = #expect(throws: Realm.Error.self) {
      try file.open(
        at: mistake.forgetsVersion ? mistake.old : mistake.new, mistake.block,
        with: PetOwnersFixture.types[Int(mistake.new)]
      ) { _ in }
    }
    let message = error?.message ?? "none"
    expectTrue(document.contains("```text\n\(message)\n```"), "\(message)")
    try expectEqual(file.bytes, before)
  }

  @Test func `All code of the tutorial is from the example and the tests`() throws {
    let example = "../../../Sources/StrataExample"
    try CompiledGuide(
      "migrating.md", "\(example)/AddressBookV5.swift", "\(example)/PetOwners/PetOwnersV0.swift",
      "\(example)/PetOwners/PetOwnersV1.swift", "\(example)/PetOwners/PetOwnersV2.swift",
      "\(example)/PetOwners/PetOwnersV3.swift", "\(example)/PetOwners/PetOwnersV4.swift",
      "\(example)/PetOwners/PetOwnersV5.swift", "MigratingTutorialTests.swift",
      "../MigratingConditionsTests.swift", "../PetOwnersFixtureTests.swift",
      "../RenamingClassesTests.swift", "../ResolvingDuplicatesTests.swift",
      "../TransformingTests.swift"
    ).expectCompiled(atLeast: 11)
  }

  @Test func `Without a block two names are lost`() throws {
    try PetOwnersFile(0).open(at: 1) { realm in
      let people = realm.objects(PetOwnersFixture.V1.Person.self)
      expectEqual(people.map(\.fullName), ["", "", ""])
      expectEqual(people.map(\.age), [34, 51, 8])
    }
  }

  @Test func `A class that the program no longer has stays until its data is deleted`() throws {
    let types: [ObjectBase.Type] = PetOwnersFixture.types[3] + [PetOwnersFixture.V2.Dog.self]
    let kept = try PetOwnersFile(2)
    try kept.open(at: 3) { realm in
      expectTrue(realm.objects(PetOwnersFixture.V3.Pet.self).isEmpty)
    }
    try kept.open(at: 3, with: types) { realm in
      expectEqual(realm.objects(PetOwnersFixture.V2.Dog.self).count, 4)
    }
    let deleted = try PetOwnersFile(2)
    try deleted.open(at: 3, { migration, _ in migration.deleteData(forType: "Dog") }) { _ in }
    try deleted.open(at: 3, with: types) { realm in
      expectTrue(realm.objects(PetOwnersFixture.V2.Dog.self).isEmpty)
    }
  }

  @Test func `New properties have the default of the class, and enums accept any raw value`() throws
  {
    let file = try PetOwnersFile(3)
    let block: MigrationBlock = { migration, _ in
      let pet = migration.create("Pet", value: ["name": "Nemo"])
      expectEqual(pet["kind"] as? String, "dog")
      pet["kind"] = "fish"
    }
    try file.open(at: 4, block) { realm in
      expectIssue("'Pet.kind' of the row with _id 5 holds nothing of which") {
        let pet = realm.objects(PetOwnersFixture.V4.Pet.self).last
        expectEqual(pet?.kind, .dog)
      }
    }
  }
}
