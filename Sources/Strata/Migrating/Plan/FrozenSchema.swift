public import Foundation
import StrataSchema
import StrataStorage

/// A schema version that is stored as JSON, so that its classes need not stay in the code.
///
/// `StrataTestSupport` writes a file for each version, and a ``SchemaMigrationPlan`` accepts it
/// instead of classes:
///
/// ```swift
/// .frozen(
///   try FrozenSchema(
///     contentsOf: Bundle.module.url(forResource: "v2", withExtension: "json")!))
/// ```
/// Properties have the names of their columns. The JSON contains a fingerprint of its content. A
/// file that was edited by hand is refused, because the database files of that version were not
/// changed with it.
public struct FrozenSchema: Sendable, Hashable {
  /// The number of the version, from 0.
  public let version: Int

  /// The classes of the version, with the names of columns.
  public let schema: Schema

  /// Creates a frozen schema from a schema.
  public init(version: Int, schema: Schema) {
    self.version = version
    self.schema = schema.stored
  }

  /// Creates a frozen schema from model classes.
  ///
  /// - Throws: ``Realm/Error`` with code `fail` for classes that don't form a valid schema.
  public init(version: Int, objectTypes: [ObjectBase.Type]) throws(RealmError) {
    self.init(version: version, schema: try DiscoveredSchema.of(objectTypes).schema)
  }

  /// Returns classes that are made at runtime, for a program of this version.
  package func madeTypes() throws(RealmError) -> [ObjectBase.Type] {
    try DynamicClassMaker.types(for: schema)
  }

  /// Reads a file that was written with ``json``.
  ///
  /// - Throws: ``Realm/Error`` with code `fileNotFound` or `fileAccess` for a file that can't be
  ///   read, and with code `fail` for a file that is not a frozen schema, or that was edited.
  public init(contentsOf url: URL) throws(RealmError) {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      let isMissing = !FileManager.default.fileExists(atPath: url.path)
      throw RealmError(
        isMissing ? .fileNotFound : .fileAccess,
        "The frozen schema '\(url.path)' can't be read: \(error.localizedDescription). Correct the "
          + "path, or freeze the version again.", fileURL: url, underlyingError: error)
    }
    try self.init(data, name: "'\(url.path)'", url: url)
  }

  /// Reads a text from ``json``.
  ///
  /// - Throws: The same errors as ``init(contentsOf:)``.
  public init(json: String) throws(RealmError) {
    try self.init(Data(json.utf8), name: "text", url: nil)
  }

  /// The version as JSON. Equal schemas give equal texts.
  public var json: String {
    get throws(RealmError) {
      do {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let file = Document(version: version, fingerprint: try fingerprint(), schema: schema)
        return String(decoding: try encoder.encode(file), as: UTF8.self) + "\n"
      } catch {
        throw RealmError(
          .fail, "Version \(version) can't be written as JSON: \(error)", underlyingError: error)
      }
    }
  }

  private struct Document: Codable {
    var version: Int
    var fingerprint: String
    var schema: Schema
  }

  private init(_ data: Data, name: String, url: URL?) throws(RealmError) {
    let document: Document
    let expected: String
    do {
      document = try JSONDecoder().decode(Document.self, from: data)
      self.init(version: document.version, schema: document.schema)
      expected = try fingerprint()
    } catch {
      throw RealmError(
        .fail,
        "The frozen schema \(name) can't be read: \(VersionTable.reason(error)). Restore it from "
          + "version control, or freeze the version again.", fileURL: url, underlyingError: error)
    }
    guard document.fingerprint == expected else {
      throw RealmError(
        .fail,
        "The frozen schema \(name) of version \(version) was edited: its fingerprint is "
          + "'\(document.fingerprint)', but the fingerprint of its contents is '\(expected)'. "
          + "Files at that version were not edited. Restore the schema from version control, and "
          + "describe changes as a new version.", fileURL: url)
    }
  }

  /// Returns a hash of the version and the schema, which detects edits.
  private func fingerprint() throws -> String {
    hexDigits(of: stableHash(of: "\(version) \(try VersionTable.encode(schema))".utf8))
  }
}
