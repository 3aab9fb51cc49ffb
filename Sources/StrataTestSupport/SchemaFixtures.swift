public import Foundation
import GRDB
public import Strata
import StrataSchema

/// The files of a project's released versions: a database of each schema version, its schema, and a
/// readable dump.
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
  /// The prefix of the names of the files.
  public let name: String
  /// Whether missing files of a version are written. Otherwise they are a failure.
  ///
  /// False if the environment has `CI`, because files that are written there are lost.
  public var writesNewVersions = ProcessInfo.processInfo.environment["CI"] == nil

  /// Creates the fixtures in a folder.
  public init(_ name: String, in directory: URL) {
    self.name = name
    self.directory = directory
  }

  /// Creates the fixtures in the folder `Fixtures` beside a source file.
  public init(_ name: String, beside sourceFile: String = #filePath) {
    self.init(
      name,
      in: URL(fileURLWithPath: sourceFile).deletingLastPathComponent().appendingPathComponent(
        "Fixtures", isDirectory: true))
  }

  /// Returns the URL of the database of a version.
  public func database(_ version: Int) -> URL { url(version, "sqlite") }

  /// Reads the schema of a version, for a `SchemaMigrationPlan`.
  ///
  /// - Throws: `Realm.Error` if the file is missing or was edited.
  public func schema(_ version: Int) throws -> FrozenSchema {
    try FrozenSchema(contentsOf: url(version, "json"))
  }

  /// Returns the versions with a database, in ascending order.
  ///
  /// - Throws: An error of the file system if the folder can't be read.
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
  /// The version of new files.
  var newestVersion: Int {
    migrationPlan?.stages.last?.version ?? Int(clamping: schemaVersion)
  }

  /// Returns the configuration for another file, without the settings for the original one.
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

extension SchemaFixtures {
  /// Expects the classes of a configuration to be equal to the frozen ones of its version.
  ///
  /// The first time, when there are no files of the version, it writes them: the schema, a database
  /// that the closure fills, and a dump of it. After that it fails when classes change but the
  /// version doesn't, and shows the difference. So no schema change is released by accident.
  ///
  /// If ``writesNewVersions`` is false, which is the default if the environment has `CI`, a version
  /// without files is a failure.
  ///
  /// The configuration is the program's configuration; its file is not changed. `populate` fills
  /// the database with the data of a typical user: each property set and nil, links, collections.
  /// - Returns: The frozen schema; nil after a failure.
  /// - Throws: The errors of `Realm(configuration:)` and of the closure, and of the file system.
  @discardableResult
  public func expectFrozen(
    _ configuration: Realm.Configuration, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    populate: (Realm) throws -> Void = { _ in }
  ) throws -> FrozenSchema? {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let version = configuration.newestVersion
    let folder = try TemporaryFolder()
    let configuration = configuration.moved(to: folder.file)
    let current = FrozenSchema(
      version: version, schema: try Realm(configuration: configuration).schema)
    guard FileManager.default.fileExists(atPath: url(version, "json").path) else {
      guard writesNewVersions else {
        site.report(
          "Schema version \(version) is not frozen: '\(url(version, "json").path)' is missing. Run the "
            + "test on your own machine, and commit the files that it writes.")
        return nil
      }
      try populate(Realm(configuration: configuration))
      try freeze(current, folder.file)
      return current
    }
    let frozen = try schema(version)
    let lines = (SchemaText.lines(frozen.schema), SchemaText.lines(current.schema))
    // Files don't depend on the order in which a class declares its properties.
    guard lines.0.sorted() != lines.1.sorted() else { return frozen }
    let difference = lineDifference(lines.0, lines.1) ?? ""
    site.report(
      """
      The model classes changed, and the schema version is still \(version):

      \(difference)

      (− frozen, + now) Raise the version to \(version + 1), and migrate files to it. If \
      version \(version) was never released, delete '\(url(version, "json").path)' and the \
      files beside it, and run the test again.
      """)
    return nil
  }

  private func freeze(_ schema: FrozenSchema, _ file: URL) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let queue = try DatabaseQueue.plain(file)
    let dump = try queue.writeWithoutTransaction { db in
      // A single file, without a WAL.
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      return try FileDump(db).sql
    }
    try queue.close()
    let target = database(schema.version)
    if FileManager.default.fileExists(atPath: target.path) {
      try FileManager.default.removeItem(at: target)
    }
    try DatabaseCopy.make(of: file, at: target)
    try Data(dump.utf8).write(to: url(schema.version, "sql"))
    // Last, so that an interrupted freeze begins again.
    try Data(try schema.json.utf8).write(to: url(schema.version, "json"))
  }
}

/// A schema as lines that a person can compare.
enum SchemaText {
  /// Returns lines such as `Person.age: int?, indexed`, sorted by class and then in the order of
  /// declaration.
  static func lines(_ schema: Schema) -> [String] {
    schema.stored.objectSchema.flatMap { object -> [String] in
      ["class \(object.className)\(object.isEmbedded ? ", embedded" : "")"]
        + object.properties.map { property in
          var line = "\(object.className).\(property.columnName): \(property.typeName)"
          if property.allowsNil { line += "?" }
          if object.primaryKey == property.columnName { line += ", primary key" }
          if property.wantsIndex { line += ", indexed" }
          if property.wantsTextIndex { line += ", full text" }
          return line
        }
        + object.compoundIndexes.map {
          "\(object.className): compound index (\($0.joined(separator: ", ")))"
        }
    }
  }
}

extension FrozenSchema {
  /// Creates a database of this version, without its classes, for tests with unusual data.
  ///
  /// ```swift
  /// let old = try fixtures.schema(1)
  /// try old.makeDatabase(at: url, rows: [
  ///   "Person": [
  ///     ["firstName": "Ada", "lastName": "Lovelace", "dogs": [["name": "Rex"]]],
  ///     ["firstName": "", "lastName": ""],
  ///   ]
  /// ])
  /// ```
  /// Rows are dictionaries by the names of columns, or arrays in the order of the properties. A row
  /// in place of a link creates an object. Missing values are nil, or 0, "", 1970.
  /// - Throws: `Realm.Error` if the file exists already, or if a row doesn't fit.
  public func makeDatabase(at url: URL, rows: [String: [Any]]) throws {
    try makeDatabase(at: url) { migration in
      for (className, rows) in rows.sorted(by: { $0.key < $1.key }) {
        for row in rows { migration.create(className, value: row) }
      }
    }
  }

  /// Creates a database of this version with a closure that creates the objects, for objects with
  /// several links to them.
  ///
  /// ```swift
  /// try old.makeDatabase(at: url) { migration in
  ///   let home = migration.create("Home", value: ["city": "London"])
  ///   migration.create("Person", value: ["name": "Ada", "home": home])
  ///   migration.create("Person", value: ["name": "Alan", "home": home])
  /// }
  /// ```
  public func makeDatabase(at url: URL, _ create: (Migration) throws -> Void) throws {
    try FrozenFile.create(at: url, self, create)
  }
}
