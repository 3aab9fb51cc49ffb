import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The files of the example, which older versions of the library wrote. They are never changed, and
/// must always be readable.
@Suite struct AddressBookFixtureTests {
  private static let versions: [UInt64] = [0, 1, 2, 3, 4, 5]
  private static let pairs = versions.flatMap { old in
    versions.filter { $0 > old }.map { (old, $0) }
  }

  /// A copy of the file of a version.
  private static func file(_ version: UInt64) throws -> TestFile {
    try TestFile(fixture: "AddressBook-v\(version)")
  }

  @Test(arguments: versions)
  func `A file opens with the classes that wrote it, and stays as it is`(version: UInt64) throws {
    let file = try Self.file(version)
    let before = try file.bytes
    try file.open(at: version) { people in
      expectEqual(people.count, (version < 5 ? 362 : 350))
    }
    try expectEqual(schemaVersionAtURL(file.url), version)
    try expectEqual(file.bytes, before)
    try expectEqual(file.folderContents, [file.url.lastPathComponent])
  }

  @Test(arguments: pairs)
  func `A file becomes what a newer version would have written`(
    old: UInt64, new: UInt64
  ) throws {
    let file = try Self.file(old)
    let migrated = try file.rows(at: new, AddressBookFixture.migrationBlock(to: new))
    var expected = try Self.file(new).rows(at: new)
    // The first version had no email addresses.
    if old == 0 { for index in expected.indices { expected[index]["email"] = "nil" } }
    expectEqual(migrated, expected)
    try expectEqual(schemaVersionAtURL(file.url), new)

    let before = try file.bytes
    try expectEqual(file.rows(at: new), migrated)
    try expectEqual(file.bytes, before)
  }

  @Test func `A file that goes through all versions becomes the same as in one stage`() throws {
    let walked = try Self.file(0)
    var rows: [[String: String]] = []
    for version in Self.versions {
      rows = try walked.rows(at: version, AddressBookFixture.migrationBlock(to: version))
    }
    try expectEqual(rows, Self.file(0).rows(at: 5, AddressBookFixture.migrationBlock(to: 5)))
    expectEqual(Set(rows.map { $0["id"] }).count, 350)
  }

  @Test(arguments: versions.dropLast())
  func `A block that leaves duplicates fails, names them, and changes nothing`(
    version: UInt64
  ) throws {
    let file = try Self.file(version)
    let before = try file.rows(at: version)
    let error = #expect(throws: Realm.Error.self) { try file.rows(at: 5) { _, _ in } }
    let start = """
      Primary key property 'Person.id' has duplicate values after migration.
      - 183 occurs 3 times (_id 154, 339, 351)
      """
    expectEqual(error?.message.hasPrefix(start), true, "\(error?.message ?? "")")
    expectEqual(error?.fileURL, file.url)
    try expectEqual(schemaVersionAtURL(file.url), version)
    try expectEqual(file.rows(at: version), before)
  }
}

extension TestFile {
  /// Opens the file as a program of a version does, and closes it.
  func open(
    at version: UInt64, _ block: MigrationBlock? = nil, _ body: (Results<Object>) throws -> Void
  ) throws {
    let type = AddressBookFixture.types[Int(version)]
    try open([type], version: version, block) { realm in try body(realm.objects(type)) }
  }

  /// All people in their order, each as the values of its properties.
  func rows(at version: UInt64, _ block: MigrationBlock? = nil) throws -> [[String: String]] {
    var rows: [[String: String]] = []
    try open(at: version, block) { people in
      let properties = people.first?.objectSchema.properties.map(\.name) ?? []
      rows = people.map { person in
        Dictionary(uniqueKeysWithValues: properties.map { ($0, "\(person[$0] ?? "nil")") })
      }
    }
    return rows
  }
}
