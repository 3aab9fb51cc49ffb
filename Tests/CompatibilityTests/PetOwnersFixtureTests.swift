import Foundation
import Strata
import TestKit
import Testing

/// The files of the example's second program. They stay as they are, and must always be read.
@Suite struct PetOwnersFixtureTests {
  typealias Newest = PetOwnersFixture.V5
  private static let versions: [UInt64] = [0, 1, 2, 3, 4, 5]

  /// The contents of each file after its migration.
  private static let everything = """
    Ines Duarte, 34: Bruno (dog), Kiwi (bird); 7 Quay Street, Porto: Ines Duarte
    Tomas Lind, 51: Mochi (cat)
    Noor Haddad, 8:
    Bruno (dog) Kiwi (bird) Mochi (cat) Rusty (dog)
    """

  @Test(arguments: versions)
  func `A file opens with the classes that wrote it, and stays as it is`(version: UInt64) throws {
    let file = try PetOwnersFile(version)
    let before = try file.bytes
    try file.open(at: version) { realm in
      let person = try #require(PetOwnersFixture.types[Int(version)].first as? Object.Type)
      expectEqual(realm.objects(person).count, 3)
    }
    try expectEqual(schemaVersionAtURL(file.url), version)
    try expectEqual(file.bytes, before)
    try expectEqual(file.folderContents, [file.url.lastPathComponent])
  }

  @Test(arguments: versions.dropLast())
  func `A file of every version becomes the same`(version: UInt64) throws {
    let file = try PetOwnersFile(version)
    try file.open(at: 5, PetOwnersFixture.migrationBlock) { realm in
      #expect(text(realm) == Self.everything)
    }
    #expect(try Realm.migrationHistory(at: file.url).map(\.version) == [version, 5])

    let before = try file.bytes
    try file.open(at: 5) { realm in expectEqual(text(realm), Self.everything) }
    try expectEqual(file.bytes, before)
    try expectEqual(file.folderContents, [file.url.lastPathComponent])
  }

  @Test func `A file of the newest version is the same already`() throws {
    try PetOwnersFile(5).open(at: 5, PetOwnersFixture.migrationBlock) { realm in
      expectEqual(text(realm), Self.everything)
    }
  }

  // MARK: -

  /// Everything in a file of the newest version.
  private func text(_ realm: Realm) -> String {
    func text(_ pet: Newest.Pet) -> String { "\(pet.name) (\(pet.kind.rawValue))" }
    let people = realm.objects(Newest.Person.self).map { person in
      let pets = person.pets.map(text).joined(separator: ", ")
      let address = person.address.map { address in
        let residents = address.residents.map(\.fullName).joined(separator: ", ")
        return "; \(address.street), \(address.city): \(residents)"
      }
      return "\(person.fullName), \(person.age):" + (pets.isEmpty ? "" : " \(pets)")
        + (address ?? "")
    }
    let pets = realm.objects(Newest.Pet.self).map(text).joined(separator: " ")
    return (people + [pets]).joined(separator: "\n")
  }
}
