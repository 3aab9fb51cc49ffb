import Foundation
import Strata
import Testing

/// The files of the example's second program. They stay as they are, and must always be read.
@Suite struct PetOwnersFixtureTests {
  typealias Newest = PetOwnersFixture.V5
  private static let versions: [UInt64] = [0, 1, 2, 3, 4, 5]
  private let folder: URL

  /// What every file becomes.
  private static let everything = """
    Ines Duarte, 34: Bruno (dog), Kiwi (bird); 7 Quay Street, Porto: Ines Duarte
    Tomas Lind, 51: Mochi (cat)
    Noor Haddad, 8:
    Bruno (dog) Kiwi (bird) Mochi (cat) Rusty (dog)
    """

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  @Test(arguments: versions)
  func `A file opens with the classes that wrote it, and stays as it is`(version: UInt64) throws {
    try withCopy(version) { file in
      let before = try Data(contentsOf: file)
      try open(file, version, with: version) { realm in
        let people = realm.objects(PetOwnersFixture.types[Int(version)][0] as! Object.Type)
        #expect(people.count == 3)
      }
      #expect(try schemaVersionAtURL(file) == version)
      #expect(try Data(contentsOf: file) == before)
    }
  }

  @Test(arguments: versions.dropLast())
  func `A file of every version becomes the same`(version: UInt64) throws {
    try withCopy(version) { file in
      let block = PetOwnersFixture.migrationBlock
      try open(file, 5, block) { #expect(text($0) == Self.everything) }
      #expect(try schemaHistoryAtURL(file).map(\.version) == [version, 5])
      let before = try Data(contentsOf: file)
      try open(file, 5) { realm in
        #expect(text(realm) == Self.everything)
        #expect(
          realm.schema.objectSchema.map(\.className).sorted() == ["Address", "Person", "Pet"])
      }
      #expect(try Data(contentsOf: file) == before)
    }
  }

  @Test func `A file of the newest version is like that already`() throws {
    try withCopy(5) { file in
      try open(file, 5, PetOwnersFixture.migrationBlock) { #expect(text($0) == Self.everything) }
    }
  }

  @Test func `The address that nobody has is refused unless the block says what is to be done`()
    throws
  {
    try withCopy(4) { file in
      let before = try Data(contentsOf: file)
      let error = #expect(throws: Realm.Error.self) { try open(file, 5) { _ in } }
      #expect(
        error?.message == """
          Cannot convert 'Address' to embedded: at least one object has no incoming links and would \
          be deleted. At least one object does not have a backlink (data would get lost).
          - 1 object of 'Address' has no parent (_id 2)
          Delete them in the migration block, link to them, or call \
          'migration.embedObjects(ofType: "Address", orphans: .delete)' there.
          """)
      #expect(try Data(contentsOf: file) == before)
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

  private func open(
    _ file: URL, _ version: UInt64, with types: UInt64 = 5, _ block: MigrationBlock? = nil,
    _ body: (Realm) throws -> Void
  ) throws {
    try body(
      Realm(
        configuration: Realm.Configuration(
          fileURL: file, schemaVersion: version, migrationBlock: block,
          objectTypes: PetOwnersFixture.types[Int(types)])))
  }

  /// Runs a closure with a copy of a file.
  private func withCopy(
    _ version: UInt64, sourceFile: String = #filePath, _ body: (URL) throws -> Void
  ) throws {
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let name = "PetOwners-v\(version).sqlite"
    let package = URL(fileURLWithPath: sourceFile)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let copy = folder.appendingPathComponent(name)
    try FileManager.default.copyItem(
      at: package.appendingPathComponent("Fixtures/\(name)"), to: copy)
    try body(copy)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
  }
}
