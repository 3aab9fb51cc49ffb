import Foundation

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
    for configuration: Configuration = .defaultConfiguration
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
    _ backup: RealmBackup, for configuration: Configuration = .defaultConfiguration
  ) throws {
    let file = try configuration.backedUpFile()
    try StoreRegistry.shared.whileClosed(
      try ResolvedConfiguration(configuration),
      "Cannot restore the file '\(file.path)' while it is open: release all "
        + "instances of the realm first."
    ) {
      try FileBackup.restore(backup.url, to: file)
    }
  }
}

extension Realm.Configuration {
  fileprivate func backedUpFile() throws(RealmError) -> URL {
    switch try ResolvedConfiguration(self).location {
    case .file(let url): return url
    case .memory(let identifier):
      throw RealmError(.fail, "The realm '\(identifier)' in memory has no file to back up.")
    }
  }
}
