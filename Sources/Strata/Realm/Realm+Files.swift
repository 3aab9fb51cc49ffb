public import Foundation
public import StrataStorage

extension Realm {
  /// Whether the SQLite library of this process can encrypt: then a configuration may have an
  /// `encryptionKey`.
  public static var canEncrypt: Bool { FileKey.libraryVersion != nil }

  /// The SQLite library of this process, with its version.
  ///
  /// ```swift
  /// logger.info("SQLite \(Realm.sqliteLibrary)")
  /// ```
  public static var sqliteLibrary: SQLiteLibrary { .current }

  /// Migrates the file of a configuration without keeping it open. Creates it if there is none, and
  /// does nothing when it is at the version of the configuration.
  ///
  /// - Throws: ``Realm/Error`` as opening does, and with code `alreadyOpen` when the file is open.
  public static func performMigration(for configuration: Configuration = .current)
    throws
  {
    let resolved = try ResolvedConfiguration(configuration)
    try StoreRegistry.shared.whileClosed(
      resolved, noneFor: [.store], "Cannot migrate Realms that are already open."
    ) {
      _ = try StoreOpener(resolved).open()
    }
  }

  /// Finds out what opening the file of a configuration would do, without writing a byte.
  ///
  /// ```swift
  /// let forecast = try Realm.migrationForecast(for: configuration)
  /// print(forecast)
  /// guard forecast.obstacles.isEmpty else { return }
  /// ```
  /// Printed, it is a table: the operations on each table, how many rows they touch, which tables
  /// are rewritten, and which obstacles exist. Closures are not called, so their changes are not
  /// included. It takes time for each row of the classes that change. A file of Realm that
  /// `convertsRealmFile` names, and that opening would convert, is converted in memory for the
  /// forecast, which takes as much memory as the new file; `conversionForecast(realmFile:)` says
  /// what becomes of it.
  /// - Throws: The errors of opening before it changes anything.
  public static func migrationForecast(
    for configuration: Configuration = .current
  ) throws -> MigrationForecast {
    let resolved = try ResolvedConfiguration(configuration)
    return try Forecaster.forecast(for: resolved)
  }

  /// The schema versions that a file has been at, the oldest first, with the migrations to them.
  ///
  /// ```swift
  /// for version in try Realm.migrationHistory(at: url) {
  ///   print(version.version, version.migratedAt, version.rows ?? 0)
  /// }
  /// ```
  /// It is in table `strata_schema_version` of the file, which is never created or changed by this.
  /// - Throws: As ``schemaVersionAtURL(_:encryptionKey:)``.
  public static func migrationHistory(
    at fileURL: URL, encryptionKey: Data? = nil
  ) throws -> [SchemaVersion] {
    let (file, key) = try ResolvedConfiguration.looking(at: fileURL, encryptionKey)
    return try VersionReader.history(of: file, key)
  }

  /// What a file says of itself: its version, its classes, how many objects it has, and how large
  /// it is.
  ///
  /// ```swift
  /// let inspection = try Realm.inspection(at: url)
  /// for object in inspection.schema.objectSchema {
  ///   print(object.className, inspection.objectCounts[object.className] ?? 0)
  /// }
  /// ```
  /// It needs no class of the program, and writes nothing: no file is made beside one that no
  /// process has open. The file may be at any version, and may be open.
  /// - Parameters:
  ///   - fileURL: The file.
  ///   - encryptionKey: Its 64 bytes, for a file that is encrypted.
  ///   - countingObjects: Whether objects are counted, which takes time for each row.
  /// - Throws: ``Realm/Error`` when the path has no database, it can't be read, or its record of
  ///   versions is damaged.
  public static func inspection(
    at fileURL: URL, encryptionKey: Data? = nil, countingObjects: Bool = true
  ) throws -> RealmInspection {
    let (file, key) = try ResolvedConfiguration.looking(at: fileURL, encryptionKey)
    return try FileInspector.inspect(file, key, countingObjects: countingObjects)
  }

  /// A problem of a file.
  public typealias FileProblem = StrataSchema.FileProblem

  /// How far a check of a file is.
  public typealias FileCheckProgress = StrataStorage.FileCheckProgress

  /// Finds all problems of the file of a configuration. It takes time for each row.
  ///
  /// ```swift
  /// for problem in try Realm.problems(for: configuration) { print(problem) }
  /// ```
  ///
  /// Opening a file looks at its version, tables and columns only; this looks at each value, link
  /// and embedded object as well, and asks SQLite about each page. It writes nothing, doesn't block
  /// writers, and needs no class of the program: the recorded schema of the file is compared with
  /// its contents. Of many rows with the same problem a hundred are listed.
  /// - Parameters:
  ///   - configuration: The file.
  ///   - progress: Hears how far the check is, on the thread of the caller; what it throws ends the
  ///     check.
  /// - Throws: ``Realm/Error`` when the path has no database, or it can't be read, and what the
  ///   closure throws.
  public static func problems(
    for configuration: Configuration = .current,
    progress: ((FileCheckProgress) throws -> Void)? = nil
  ) throws -> [FileProblem] {
    try problems(for: configuration, nil, progress: progress)
  }

  /// The same with a cancellation, which ends it in the middle of a step.
  package static func problems(
    for configuration: Configuration, _ cancellation: Cancellation?,
    progress: ((FileCheckProgress) throws -> Void)? = nil
  ) throws -> [FileProblem] {
    let resolved = try ResolvedConfiguration(configuration)
    switch resolved.location {
    case .file(let url):
      return try withoutActuallyEscaping(progress ?? { _ in }) { progress in
        try FileCheck.problems(
          of: url, resolved.key, isReadable: Property.holds, cancellation, progress: progress)
      }
    case .replica(let replica):
      return try withoutActuallyEscaping(progress ?? { _ in }) { progress in
        try FileCheck.problems(
          of: replica.file().url, resolved.key, isReadable: Property.holds, cancellation,
          progress: progress)
      }
    case .memory(let identifier):
      throw RealmError(.fail, "The realm '\(identifier)' in memory has no file to check.")
    }
  }

  /// Whether there is a file for a configuration. A realm in memory has none.
  /// There is one for a replica when it has a version.
  public static func fileExists(for configuration: Configuration) -> Bool {
    if let replica = configuration.replica {
      do {
        _ = try ReplicaFile(replica).file()
        return true
      } catch {
        return false
      }
    }
    guard let url = configuration.fileURL else { return false }
    return FileManager.default.fileExists(atPath: url.path)
  }

  /// Whether the file of a configuration is open in this process.
  package static func isOpen(_ configuration: Configuration) -> Bool {
    guard let url = configuration.fileURL else { return false }
    return StoreRegistry.shared.openStore(.file(url)) != nil
  }

  /// Deletes the file of a configuration and its log files. A link to the file stays.
  ///
  /// - Returns: Whether there was a file.
  /// - Throws: ``Realm/Error`` with code `alreadyOpen` when the file is open in this process,
  ///   `fileOperationFailed` for a folder, and others when a file can't be deleted.
  @discardableResult
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    let resolved = try ResolvedConfiguration(configuration)
    if let replica = resolved.replica { throw replica.file.cannotBeChanged }
    return try StoreRegistry.shared.whileClosed(
      resolved, "Cannot delete files of an open Realm: '\(resolved.name)' is still in use."
    ) {
      guard case .file(let url) = resolved.location else { return false }
      let existed = fileExists(for: configuration)
      try StoreFile.delete(url)
      return existed
    }
  }
}

/// The schema version of a file. Never creates or changes one.
///
/// ```swift
/// let version = try schemaVersionAtURL(url)
/// ```
/// - Throws: ``Realm/Error`` with code `invalidDatabase` for a file that is not there, or that
///   never was given a version, and others for a file that can't be read.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  let (file, key) = try ResolvedConfiguration.looking(at: fileURL, encryptionKey)
  if let store = StoreRegistry.shared.openStore(.file(file)), store.file.key == key {
    return store.settings.schemaVersion
  }
  return try VersionReader.version(of: file, key)
}

extension ResolvedConfiguration {
  /// A file that is only looked at, and its key.
  fileprivate static func looking(
    at fileURL: URL, _ encryptionKey: Data?
  ) throws(RealmError) -> (URL, FileKey?) {
    var configuration = RealmConfiguration(fileURL: fileURL, readOnly: true)
    configuration.encryptionKey = encryptionKey
    let resolved = try ResolvedConfiguration(configuration)
    return (resolved.url ?? fileURL, resolved.key)
  }
}
