public import Foundation
import StrataStorage

extension Realm {
  /// The copies of a file that migrations have made, the newest first.
  ///
  /// ```swift
  /// for backup in try Realm.backups(for: configuration) {
  ///   print(backup.schemaVersion, backup.createdAt, backup.url.lastPathComponent)
  /// }
  /// ```
  /// They are looked for in the folder of `migrationBackup`, or where it is without one. The file
  /// itself need not be there.
  /// - Throws: ``Realm/Error`` with code `fileAccess` when the folder can't be read, or `fail` for
  ///   a realm in memory.
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

  /// Copies the file of a configuration to a new file, which it needs no class for.
  ///
  /// ```swift
  /// let copy = folder.appendingPathComponent("people-copy.sqlite")
  /// try Realm.makeBackup(at: copy, for: configuration)
  /// ```
  /// The copy is one file: everything that is committed, from the WAL too, as of one moment, while
  /// others continue to write. SQLite looks at each of its pages before it gets its name. Other
  /// than ``writeCopy(toFile:encryptionKey:)`` this neither opens the realm nor compacts the copy.
  /// - Parameters:
  ///   - fileURL: Where the copy will be.
  ///   - configuration: Only its file and its key matter. The copy has the same key.
  ///   - progress: Called with the part that is copied, from 0 to 1; ends the copy by throwing.
  /// - Throws: What `progress` throws, or ``Realm/Error`` with code `fileExists` when there is a
  ///   file already, `fileNotFound`, `filePermissionDenied`, `invalidDatabase` for a file without a
  ///   version, or a damaged one, and `fileAccess`. Then no copy exists.
  public static func makeBackup(
    at fileURL: URL, for configuration: Configuration = .current,
    progress: ((_ fractionCompleted: Double) throws -> Void)? = nil
  ) throws {
    try makeBackup(at: fileURL, for: configuration, nil, progress: progress)
  }

  /// The same with a cancellation, which ends also what comes after the progress.
  package static func makeBackup(
    at fileURL: URL, for configuration: Configuration, _ cancellation: Cancellation?,
    progress: ((_ fractionCompleted: Double) throws -> Void)? = nil
  ) throws {
    let resolved = try ResolvedConfiguration(configuration)
    let file = try configuration.backedUpFile()
    let copying = resolved.observers?.begin(.backup)
    try copying.ends {
      try FileBackup.copy(
        file, to: StoreFile.behindLinks(fileURL), resolved.key, cancellation, progress: progress)
    }
  }

  /// Where a backup that is made now belongs, in a folder that is made if it isn't there: under the
  /// name with which ``backups(for:)`` finds it.
  package static func newBackupPath(
    for configuration: Configuration, _ version: UInt64, in directory: URL?
  ) throws -> String {
    let backup = directory.map { MigrationBackup(directory: $0) } ?? configuration.migrationBackup
    let folder = BackupFolder(of: try configuration.backedUpFile(), backup)
    try folder.make()
    folder.removeAbandoned()
    return folder.newCopy(version: version, at: Date()).path
  }

  /// Puts a copy in the place of the file of a configuration, which must not be open.
  ///
  /// ```swift
  /// if let backup = try Realm.backups(for: configuration).first {
  ///   try Realm.restoreBackup(backup, for: configuration)
  /// }
  /// ```
  /// The backup is checked first, and is kept. Changes since it was made are lost.
  /// Other processes see it happen at once, unless the file is so damaged that it has to be
  /// exchanged; then they must open it again.
  /// - Throws: ``Realm/Error`` with code `alreadyOpen` when the file is open in this process,
  ///   `invalidDatabase` for a copy that isn't sound, or `fileAccess`. The file is as it was then.
  public static func restoreBackup(
    _ backup: RealmBackup, for configuration: Configuration = .current
  ) throws {
    try restoreBackup(at: backup.url, for: configuration)
  }

  /// Puts a copy that was made in any way in the place of the file of a configuration: see
  /// ``restoreBackup(_:for:)``. The file need not be there.
  public static func restoreBackup(
    at fileURL: URL, for configuration: Configuration = .current
  ) throws {
    try restoreBackup(at: fileURL, for: configuration, nil)
  }

  /// The same with a cancellation, after which the file is as it was.
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
  fileprivate func backedUpFile() throws(RealmError) -> URL {
    switch try ResolvedConfiguration(self).location {
    case .file(let url): return url
    case .replica(let replica): return try replica.file().url
    case .memory(let identifier):
      throw RealmError(.fail, "The realm '\(identifier)' in memory has no file to back up.")
    }
  }
}
