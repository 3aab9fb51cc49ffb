import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The errors of opening: a `Realm.Error` with code, place and repair, and an unchanged file.
@Suite("Errors of opening")
struct OpeningErrorTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  func error(readOnly: Bool = false) -> Realm.Error? {
    let before = contents()
    defer { expectEqual(contents(), before) }
    return #expect(throws: Realm.Error.self) {
      _ = try Realm(
        configuration: .init(
          fileURL: folder.file, readOnly: readOnly, objectTypes: [V0.Person.self]))
    }
  }

  /// Every file of the folder with its bytes.
  func contents() -> [String: Data?] {
    let names = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap {
      $0 as? String
    }
    return Dictionary(
      uniqueKeysWithValues: (names ?? []).map {
        ($0, FileManager.default.contents(atPath: folder.url.appendingPathComponent($0).path))
      })
  }

  @Test func `A damaged database is refused`() throws {
    folder.isDamaged = true
    try folder.write([V0.Person.self]) { realm in
      for _ in 0..<500 { realm.create(V0.Person.self, value: ["name": "x"]) }
    }
    var bytes = try Data(contentsOf: folder.file)
    for index in 100..<bytes.count { bytes[index] = 0xAA }
    try bytes.write(to: folder.file)
    let thrown = error()
    expectEqual(thrown?.code, .invalidDatabase)
    expectEqual(thrown?.message.contains("The file is damaged: restore it"), true)
  }

  @Test func `A file of which only the version table is damaged is refused`() throws {
    try folder.open([V0.Person.self]) { _ in }
    try folder.execute(
      "UPDATE strata_schema_version SET schema = '{\"format\": 9, \"classes\": []}'")
    var thrown = error()
    expectEqual(thrown?.code, .invalidDatabase)
    expectEqual(
      thrown?.message.contains("The schema is stored in format 9, and only format 1"), true)
    try folder.execute("UPDATE strata_schema_version SET schema = 'nonsense'")
    thrown = error()
    expectEqual(thrown?.code, .invalidDatabase)
    try folder.execute("UPDATE strata_schema_version SET version = -1")
    thrown = error()
    expectEqual(thrown?.code, .invalidDatabase)
    expectEqual(thrown?.message.contains("holds no valid version"), true)
  }

  @Test func `A read-only file of another program is refused`() throws {
    try folder.execute("CREATE TABLE theirs (a)")
    let thrown = error(readOnly: true)
    expectEqual(thrown?.code, .invalidDatabase)
    expectEqual(thrown?.message, "Realm at path '\(folder.file.path)' has not been initialized.")
  }

  @Test(
    arguments: [
      (
        Realm.Configuration(encryptionKey: Data(count: 63)),
        "Encryption key must be exactly 64 bytes long, and it has 63."
      ),
      (
        Realm.Configuration(inMemoryIdentifier: "x", encryptionKey: Data(count: 64)),
        "Encryption is not supported for in-memory realms"
      ),
      (
        Realm.Configuration(schemaVersion: .max),
        "Cannot set schema version to 18446744073709551615 (RLMNotVersioned)."
      ),
      (
        Realm.Configuration(fileURL: URL(string: "https://example.com/x")),
        "A realm is a file: 'https://example.com/x' is not the URL of one. Set `fileURL` to a URL of a "
          + "path, as `URL(fileURLWithPath:)` makes it."
      ),
    ])
  func `Settings that no realm can have are refused`(
    _ configuration: Realm.Configuration, _ message: String
  ) {
    let thrown = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    expectTrue(thrown?.code == .fail && thrown?.message == message)
  }

  @Test func `A migration block that opens its own file is refused`() throws {
    try folder.open([V0.Person.self]) { _ in }
    let configuration = folder.configuration([V0.Person.self], version: 1)
    let thrown = try folder.expectUntouched([V0.Person.self], version: 1) { _, _ in
      _ = try Realm(configuration: configuration)
    }
    expectEqual(thrown?.code, .alreadyOpen)
    expectEqual(
      thrown?.message,
      "Realm at path '\(folder.file.path)' is being opened, and can't be opened again meanwhile. "
        + "In a migration block, use the objects that 'enumerateObjects' gives; in the initializer "
        + "and the static members of a class, use no realm.")
  }
}
