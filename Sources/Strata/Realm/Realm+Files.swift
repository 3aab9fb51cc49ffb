public import Foundation
public import StrataStorage

extension Realm {
  /// Whether the SQLite library of this process supports encryption, so that a configuration may
  /// have an `encryptionKey`.
  public static var canEncrypt: Bool { FileKey.libraryVersion != nil }

  /// The SQLite library of this process, with its version.
  ///
  /// ```swift
  /// logger.info("SQLite \(Realm.sqliteLibrary)")
  /// ```
  public static var sqliteLibrary: SQLiteLibrary { .current }

  /// Migrates the file of a configuration without keeping it open. Creates a missing file. Does
  /// nothing if the file is at the version of the configuration.
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

  /// Forecasts the changes that opening the file of a configuration would make. Writes nothing.
  ///
  /// ```swift
  /// let forecast = try Realm.migrationForecast(for: configuration)
  /// print(forecast)
  /// guard forecast.obstacles.isEmpty else { return }
  /// ```
  /// The description of the forecast is a table with the operations on each table, the numbers of
  /// affected rows, the tables that are rebuilt, and the obstacles. Closures are not called, so
  /// their changes are not included. The forecast takes time proportional to the rows of the
  /// changed classes. If opening would convert the Realm file of `convertsRealmFile`, that file is
  /// converted in memory for the forecast, which takes as much memory as the new file;
  /// `conversionForecast(realmFile:)` forecasts the conversion.
  /// - Throws: The errors of opening before it changes anything.
  public static func migrationForecast(
    for configuration: Configuration = .current
  ) throws -> MigrationForecast {
    let resolved = try ResolvedConfiguration(configuration)
    return try Forecaster.forecast(for: resolved)
  }

  /// Opens a copy of a file with all migrations and closures, as a program would open the file,
  /// and deletes the copy.
  ///
  /// ```swift
  /// let rehearsal = try Realm.rehearseMigration(for: configuration)
  /// print(rehearsal)
  /// guard rehearsal.problems.isEmpty else { return }
  /// ```
  /// The copy is as of one moment, and others may write to the file meanwhile. The file and its WAL
  /// stay as they are. The closures of the configuration are called, and their effects outside of
  /// the copy are real. The folder needs room for the file and ``MigrationRehearsal/neededBytes``.
  /// The time on this machine is the time of the migration only if the disk is the same.
  /// - Parameters:
  ///   - configuration: The configuration of the new program. Seeds, conversions, backups and
  ///     observers are not used.
  ///   - fileURL: The file, for example a copy from production; nil for the file of the
  ///     configuration.
  ///   - folder: The folder in which the copy is made; nil for the folder of temporary files.
  /// - Throws: The error that opening the file would throw, also of a closure, and
  ///   ``Realm/Error`` with code `fileNotFound`, or `outOfDiskSpace` when the folder has no room.
  public static func rehearseMigration(
    for configuration: Configuration = .current, of fileURL: URL? = nil, in folder: URL? = nil
  ) throws -> MigrationRehearsal {
    let file = try fileURL.map(StoreFile.behindLinks) ?? configuration.backedUpFile()
    let temporary = try TemporaryFolder(on: folder.map { .folder($0) } ?? .disk)
    return try withExtendedLifetime(temporary) {
      try Rehearser(configuration: configuration, file: file, folder: temporary).run()
    }
  }

  /// Returns the use that programs with the classes of a schema can make of a file.
  package static func use(
    of fileURL: URL, _ encryptionKey: Data?, by program: Schema, version: UInt64
  ) throws -> MigrationForecast.OlderProgram {
    let (file, key) = try ResolvedConfiguration.looking(at: fileURL, encryptionKey)
    return MigrationForecast.OlderProgram(
      program, version: version, with: try VersionReader.recorded(of: file, key))
  }

  /// Returns the schema versions that a file has had, the oldest first, with the migrations to
  /// them.
  ///
  /// ```swift
  /// for version in try Realm.migrationHistory(at: url) {
  ///   print(version.version, version.migratedAt, version.rows ?? 0)
  /// }
  /// ```
  /// The history is stored in the table `strata_schema_version` of the file. This method never
  /// creates or changes the file.
  /// - Throws: The errors of ``schemaVersionAtURL(_:encryptionKey:)``.
  public static func migrationHistory(
    at fileURL: URL, encryptionKey: Data? = nil
  ) throws -> [SchemaVersion] {
    let (file, key) = try ResolvedConfiguration.looking(at: fileURL, encryptionKey)
    return try VersionReader.history(of: file, key)
  }

  /// Inspects a file: its version, its classes, its size, and the numbers of its objects.
  ///
  /// ```swift
  /// let inspection = try Realm.inspection(at: url)
  /// for object in inspection.schema.objectSchema {
  ///   print(object.className, inspection.objectCounts[object.className] ?? 0)
  /// }
  /// ```
  /// The inspection needs no class of the program and writes nothing: it creates no files next to a
  /// file that no process has open. The file may be at any version, and may be open.
  /// - Parameters:
  ///   - fileURL: The file.
  ///   - encryptionKey: The 64 bytes of the key of an encrypted file.
  ///   - countingObjects: Whether objects are counted, which takes time proportional to the number
  ///     of rows.
  /// - Throws: ``Realm/Error`` when there is no database at the path, when the file can't be read,
  ///   or when its version table is damaged.
  public static func inspection(
    at fileURL: URL, encryptionKey: Data? = nil, countingObjects: Bool = true
  ) throws -> RealmInspection {
    let (file, key) = try ResolvedConfiguration.looking(at: fileURL, encryptionKey)
    return try FileInspector.inspect(file, key, countingObjects: countingObjects)
  }

  /// A problem of a file.
  public typealias FileProblem = StrataSchema.FileProblem

  /// The progress of a check of a file.
  public typealias FileCheckProgress = StrataStorage.FileCheckProgress

  /// Finds all problems of the file of a configuration. The check takes time proportional to the
  /// number of rows.
  ///
  /// ```swift
  /// for problem in try Realm.problems(for: configuration) { print(problem) }
  /// ```
  ///
  /// Opening a file checks only its version, tables and columns. This method also checks each
  /// value, link and embedded object, and SQLite checks each page. It writes nothing, doesn't block
  /// writers, and needs no class of the program: the recorded schema of the file is compared with
  /// its contents. At most a hundred rows are listed per problem.
  /// - Parameters:
  ///   - configuration: The file.
  ///   - progress: A closure that receives the progress of the check, on the thread of the caller.
  ///     The closure can stop the check by throwing.
  /// - Throws: ``Realm/Error`` when there is no database at the path, or when the file can't be
  ///   read, and the error of the closure.
  public static func problems(
    for configuration: Configuration = .current,
    progress: ((FileCheckProgress) throws -> Void)? = nil
  ) throws -> [FileProblem] {
    try problems(for: configuration, nil, progress: progress)
  }

  /// Finds problems with a cancellation, which also stops the check inside of a step.
  package static func problems(
    for configuration: Configuration, _ cancellation: Cancellation?,
    progress: ((FileCheckProgress) throws -> Void)? = nil
  ) throws -> [FileProblem] {
    let resolved = try ResolvedConfiguration(configuration)
    let file = try resolved.file(to: "check")
    return try withoutActuallyEscaping(progress ?? { _ in }) { progress in
      try FileCheck.problems(
        of: file, resolved.key, isReadable: Property.holds, cancellation, progress: progress)
    }
  }

  /// Returns whether the file of a configuration exists: false for an in-memory realm. The file of
  /// a replica exists if the replica has a version.
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

  package static func isOpen(_ configuration: Configuration) -> Bool {
    guard let url = configuration.fileURL else { return false }
    return StoreRegistry.shared.openStore(.file(url)) != nil
  }

  /// Deletes the file of a configuration and its log files. A symbolic link to the file remains.
  ///
  /// - Returns: Whether the file existed.
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

/// Returns the schema version of a file. Never creates or changes a file.
///
/// ```swift
/// let version = try schemaVersionAtURL(url)
/// ```
/// - Throws: ``Realm/Error`` with code `invalidDatabase` for a missing file or a file without a
///   version, and with other codes for a file that can't be read.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  let (file, key) = try ResolvedConfiguration.looking(at: fileURL, encryptionKey)
  if let store = StoreRegistry.shared.openStore(.file(file)), store.file.key == key {
    return store.settings.schemaVersion
  }
  return try VersionReader.version(of: file, key)
}

extension ResolvedConfiguration {
  /// Returns the resolved URL and the key of a file that is only read.
  fileprivate static func looking(
    at fileURL: URL, _ encryptionKey: Data?
  ) throws(RealmError) -> (URL, FileKey?) {
    var configuration = RealmConfiguration(fileURL: fileURL, readOnly: true)
    configuration.encryptionKey = encryptionKey
    let resolved = try ResolvedConfiguration(configuration)
    return (resolved.url ?? fileURL, resolved.key)
  }
}
