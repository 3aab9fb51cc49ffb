import Foundation
import Strata

/// What the cases ask of this library.
enum StrataFile {
  static func migrate(
    _ file: URL, to types: [ObjectBase.Type], version: UInt64 = 1, _ block: MigrationBlock? = nil
  ) throws {
    try Realm.performMigration(
      for: .init(
        fileURL: file, schemaVersion: version, migrationBlock: block, objectTypes: types))
  }

  static func open(_ file: URL, _ types: [ObjectBase.Type]) throws -> Realm {
    try Realm(configuration: .init(fileURL: file, objectTypes: types))
  }
}
