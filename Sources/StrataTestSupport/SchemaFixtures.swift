public import Foundation
public import Strata

/// The files of a project's released versions: a database of each schema version, its schema, and
/// a dump for reading.
///
/// ```swift
/// let fixtures = SchemaFixtures("AddressBook", beside: #filePath)
///
/// @Test func `The schema is frozen`() throws {
///   try fixtures.expectFrozen(configuration) { realm in
///     try realm.write { realm.add(Person(value: ["name": "Ada"])) }
///   }
/// }
///
/// @Test func `Every version migrates`() async throws {
///   try await fixtures.verifyMigrations(to: configuration)
/// }
/// ```
/// Version 3 of `AddressBook` is `AddressBook-v3.json`, `AddressBook-v3.sqlite` and
/// `AddressBook-v3.sql`. Commit all of them, and never edit them.
public struct SchemaFixtures: Sendable {
  /// The folder with the files.
  public let directory: URL
  /// The beginning of the names of the files.
  public let name: String
  /// Whether missing files of a version are written; if not, they are a failure.
  ///
  /// False where the environment has `CI`, because files that are written there are lost.
  public var writesNewVersions = ProcessInfo.processInfo.environment["CI"] == nil

  /// Describes the fixtures in a folder.
  public init(_ name: String, in directory: URL) {
    self.name = name
    self.directory = directory
  }

  /// Describes the fixtures in folder `Fixtures` beside a source file.
  public init(_ name: String, beside sourceFile: String = #filePath) {
    self.init(
      name,
      in: URL(fileURLWithPath: sourceFile).deletingLastPathComponent().appendingPathComponent(
        "Fixtures", isDirectory: true))
  }

  /// The database of a version.
  public func database(_ version: Int) -> URL { url(version, "sqlite") }

  /// The schema of a version, for a `SchemaMigrationPlan`.
  ///
  /// - Throws: `Realm.Error` for a file that is missing or was edited.
  public func schema(_ version: Int) throws -> FrozenSchema {
    try FrozenSchema(contentsOf: url(version, "json"))
  }

  /// The versions that have a database, in ascending order.
  ///
  /// - Throws: An error of the file system when the folder can't be read.
  public func versions() throws -> [Int] {
    let start = "\(name)-v"
    return try FileManager.default.contentsOfDirectory(atPath: directory.path).compactMap { file in
      guard file.hasPrefix(start), file.hasSuffix(".sqlite") else { return nil }
      return Int(file.dropFirst(start.count).dropLast(".sqlite".count))
    }
    .sorted()
  }

  func url(_ version: Int, _ ending: String) -> URL {
    directory.appendingPathComponent("\(name)-v\(version).\(ending)")
  }
}

extension Realm.Configuration {
  /// The version that files get.
  var newestVersion: Int {
    migrationPlan?.stages.last?.version ?? Int(clamping: schemaVersion)
  }

  /// The same configuration for another file, without the settings for the original one.
  func moved(to url: URL) -> Realm.Configuration {
    var copy = self
    copy.fileURL = url
    copy.readOnly = false
    copy.seedFilePath = nil
    copy.migrationBackup = nil
    copy.shouldCompactOnLaunch = nil
    copy.deleteRealmIfMigrationNeeded = false
    return copy
  }
}
