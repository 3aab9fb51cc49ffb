import Foundation
import Strata
import StrataStorage

extension InputFile {
  /// Inspects a file of Strata.
  ///
  /// - Throws: ``CommandFailure`` for another database, and the errors of the library.
  func inspection(countingObjects: Bool = false) throws -> RealmInspection {
    try requireDatabase()
    let inspection = try Realm.inspection(
      at: url, encryptionKey: databaseKey, countingObjects: countingObjects)
    guard inspection.schemaVersion != nil else {
      throw failure(
        "This database of SQLite is not a file of Strata: its table 'strata_schema_version' is missing or empty",
        "Check the path.")
    }
    return inspection
  }

  /// The configuration that opens the file.
  var configuration: Realm.Configuration {
    Realm.Configuration(fileURL: url, encryptionKey: databaseKey)
  }

  /// The configuration that opens the file with all its classes.
  func configuration(readOnly: Bool) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: url, encryptionKey: databaseKey, readOnly: readOnly)
    configuration.dynamicClasses = .all
    return configuration
  }

  /// The key of an encrypted file of Strata; nil otherwise.
  var databaseKey: Data? { kind == .encryptedDatabase ? key : nil }

  /// The schema of a file of Strata or Realm.
  func schemaDocument() throws -> SchemaDocument {
    guard isDatabase else { return SchemaDocument(path: path, try realmFile()) }
    let inspection = try inspection()
    return SchemaDocument(path: path, inspection.history, schema: inspection.schema)
  }

  /// The schema of a file of Strata at one of its versions.
  func schemaDocument(at version: UInt64) throws -> SchemaDocument {
    let history = try inspection().history
    guard let index = history.firstIndex(where: { $0.version == version }) else {
      throw failure(
        "The file has never been at version \(version)",
        "Its versions are \(history.map { "\($0.version)" }.joined(separator: ", ")).")
    }
    return SchemaDocument(path: path, history[...index], schema: history[index].schema)
  }

  /// Whether the file is a SQLite database.
  var isDatabase: Bool { kind == .database || kind == .encryptedDatabase }

  /// The size of the file in bytes.
  var size: Int { Int(FileNames.bytes(ofFileAt: path)) }
}
