import Foundation
import Strata
import Testing

/// A copy of one of the files of the example's second program, in a folder of its own that is
/// removed when nobody needs it.
final class PetOwnersFile {
  private let folder: URL
  let url: URL

  init(_ version: UInt64, sourceFile: String = #filePath) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let name = "PetOwners-v\(version).sqlite"
    url = folder.appendingPathComponent(name)
    let package = URL(fileURLWithPath: sourceFile)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    try FileManager.default.copyItem(
      at: package.appendingPathComponent("Fixtures/\(name)"), to: url)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      Issue.record("The folder of the test can't be removed: \(error)")
    }
  }

  var bytes: Data { get throws { try Data(contentsOf: url) } }

  var folderContents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
  }

  /// Opens the file as a program of a version does, and closes it.
  func open(
    at version: UInt64, _ block: MigrationBlock? = nil, with types: [ObjectBase.Type]? = nil,
    _ body: (Realm) throws -> Void
  ) throws {
    try body(
      Realm(
        configuration: Realm.Configuration(
          fileURL: url, schemaVersion: version, migrationBlock: block,
          objectTypes: types ?? PetOwnersFixture.types[Int(version)])))
  }
}
