public import Foundation
import StrataStorage

extension Realm {
  /// Returns the backups of a file that migrations have made, the newest first.
  ///
  /// ```swift
  /// for backup in try Realm.backups(for: configuration) {
  ///   print(backup.schemaVersion, backup.createdAt, backup.url.lastPathComponent)
  /// }
  /// ```
  /// Searches the folder of `migrationBackup`, or the default folder of backups if it isn't set.
  /// The file itself need not exist.
  /// - Throws: ``Realm/Error`` with code `fileAccess` when the folder can't be read, or `fail` for
  ///   an in-memory realm.
  public static func backups(
    for configuration: Configuration = .current
  ) throws -> [RealmBackup] {
    let folder = BackupFolder(
      of: try configuration.backedUpFile(), configuration.migrationBackup)
    do {
      return try folder.backups()
    } catch {
      throw RealmError(
        .fileAccess,
        "The folder of backups '\(folder.url.path)' can't be read: \(FileReason.text(error)) Correct "
          + "the folder of 'migrationBackup'.",
        fileURL: folder.url, underlyingError: error)
    }
  }

  /// Copies the file of a configuration to a new file, without needing its classes.
  ///
  /// ```swift
  /// let copy = folder.appendingPathComponent("people-copy.sqlite")
  /// try Realm.makeBackup(at: copy, for: configuration)
  /// ```
  /// The copy is a single file with all commits up to one moment, including the WAL, while others
  /// continue to write. SQLite checks each page of the copy before the copy gets its name. In
  /// contrast to ``writeCopy(toFile:encryptionKey:)``, this method neither opens the realm nor
  /// compacts the copy.
  /// - Parameters:
  ///   - fileURL: The URL of the copy.
  ///   - configuration: The configuration, of which only the file and the key are used. The copy
  ///     has the same key.
  ///   - progress: A closure that receives the copied fraction, from 0 to 1. The closure can stop
  ///     the copy by throwing.
  /// - Throws: The error of `progress`, or ``Realm/Error`` with code `fileExists` when the copy
  ///   already exists, `fileNotFound`, `filePermissionDenied`, `invalidDatabase` for a file without
  ///   a version or a damaged one, or `fileAccess`. No copy exists then.
  public static func makeBackup(
    at fileURL: URL, for configuration: Configuration = .current,
    progress: ((_ fractionCompleted: Double) throws -> Void)? = nil
  ) throws {
    try makeBackup(at: fileURL, for: configuration, nil, progress: progress)
  }

  /// Makes a backup with a cancellation, which also stops the steps after the progress.
  package static func makeBackup(
    at fileURL: URL, for configuration: Configuration, _ cancellation: Cancellation?,
    progress: ((_ fractionCompleted: Double) throws -> Void)? = nil
  ) throws {
    let resolved = try ResolvedConfiguration(configuration)
    let file = try configuration.backedUpFile()
    let copying = resolved.observers?.begin(.backup)
    try copying.measure {
      try FileBackup.copy(
        file, to: StoreFile.behindLinks(fileURL), resolved.key, cancellation, progress: progress)
    }
  }

  /// Returns the path of a new backup, with a name that ``backups(for:)`` finds. Creates the folder
  /// if necessary.
  package static func newBackupPath(
    for configuration: Configuration, _ version: UInt64, in directory: URL?
  ) throws -> String {
    let backup = directory.map { MigrationBackup(directory: $0) } ?? configuration.migrationBackup
    let folder = BackupFolder(of: try configuration.backedUpFile(), backup)
    try folder.make()
    folder.removeAbandoned()
    return folder.newCopy(version: version, at: Date()).path
  }

  /// Replaces the file of a configuration with a backup. The file must not be open.
  ///
  /// ```swift
  /// if let backup = try Realm.backups(for: configuration).first {
  ///   try Realm.restoreBackup(backup, for: configuration)
  /// }
  /// ```
  /// The backup is checked first, and is kept. Changes since the backup was made are lost. Other
  /// processes see the restored content at once, unless the damage requires a new file; then they
  /// must open the file again.
  /// - Throws: ``Realm/Error`` with code `alreadyOpen` when the file is open in this process,
  ///   `invalidDatabase` for a damaged backup, or `fileAccess`. The file is unchanged then.
  public static func restoreBackup(
    _ backup: RealmBackup, for configuration: Configuration = .current
  ) throws {
    try restoreBackup(at: backup.url, for: configuration)
  }

  /// Replaces the file of a configuration with a copy that was made in any way: see
  /// ``restoreBackup(_:for:)``. The file need not exist.
  public static func restoreBackup(
    at fileURL: URL, for configuration: Configuration = .current
  ) throws {
    try restoreBackup(at: fileURL, for: configuration, nil)
  }

  /// Restores a backup with a cancellation, after which the file is unchanged.
  package static func restoreBackup(
    at fileURL: URL, for configuration: Configuration, _ cancellation: Cancellation?
  ) throws {
    let resolved = try ResolvedConfiguration(configuration)
    if let replica = resolved.replica { throw replica.file.cannotBeChanged }
    let file = try configuration.backedUpFile()
    try StoreRegistry.shared.whileClosed(
      resolved,
      "Cannot restore the file '\(file.path)' while it is open: release all "
        + "instances of the realm first."
    ) {
      try FileBackup.restore(
        StoreFile.behindLinks(fileURL), to: file, resolved.key, cancellation)
    }
  }
}

extension Realm.Configuration {
  func backedUpFile() throws(RealmError) -> URL {
    try ResolvedConfiguration(self).file(to: "back up")
  }
}
