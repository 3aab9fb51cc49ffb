import Foundation

extension Realm.Configuration {
  /// What opening needs to know.
  ///
  /// - Throws: ``Realm/Error`` with code `fail` for settings that no realm can have.
  func request() throws(RealmError) -> OpenRequest {
    guard encryptionKey == nil else {
      throw RealmError(
        .fail,
        inMemoryIdentifier == nil
          ? "Encryption is not supported: the file would not be encrypted. Remove `encryptionKey`, "
            + "and keep the file on an encrypted disk."
          : "Encryption is not supported for in-memory realms", fileURL: fileURL)
    }
    let place: OpenRequest.Place
    if let inMemoryIdentifier {
      place = .memory(identifier: inMemoryIdentifier)
    } else if let fileURL {
      guard fileURL.isFileURL else {
        throw RealmError(
          .fail, "A realm is a file: '\(fileURL.absoluteString)' is not the URL of one.",
          fileURL: fileURL)
      }
      place = .file(fileURL)
      if fileURL == Self.defaultFileURL { try createDefaultFolder(of: fileURL) }
    } else {
      throw RealmError(
        .fail, "A Realm Configuration must specify a path or an in-memory identifier.")
    }
    let (version, types) = try newestVersion()
    return OpenRequest(
      place: place, schemaVersion: version, migrationBlock: migrationBlock, plan: schemaPlan,
      types: types,
      isReadOnly: readOnly, startsOverIfMigrationNeeded: deleteRealmIfMigrationNeeded,
      shouldCompact: shouldCompactOnLaunch, seed: seedFilePath,
      backup: inMemoryIdentifier == nil ? migrationBackup : nil,
      checksIntegrity: migrationIntegrityCheck, progress: migrationProgress,
      didMigrate: didMigrate,
      logger: logger,
      logLevel: migrationLogLevel)
  }

  /// The version and the classes of the program, which a plan knows.
  private func newestVersion() throws(RealmError) -> (UInt64, [ObjectBase.Type]?) {
    guard let schemaPlan else { return (schemaVersion, objectTypes) }
    guard migrationBlock == nil else {
      throw RealmError(
        .fail,
        "Cannot set `migrationBlock` when `schemaPlan` is set: move what the block does into the "
          + "steps of the plan.")
    }
    let newest = try schemaPlan.newest(objectTypes)
    guard schemaVersion == 0 || schemaVersion == newest.version else {
      throw RealmError(
        .fail,
        "Cannot set schema version to \(schemaVersion) when `schemaPlan` ends with version "
          + "\(newest.version): remove `schemaVersion`.")
    }
    return newest
  }

  private func createDefaultFolder(of url: URL) throws(RealmError) {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw RealmError(
        FileReason.isPermission(error) ? .filePermissionDenied : .fileAccess,
        "The folder of the default file '\(url.path)' can't be made: \(FileReason.text(error)) "
          + "Set `fileURL`.", fileURL: url, underlyingError: error)
    }
  }

  /// The configuration of a store that is open.
  init(openStore store: Store) {
    self.init(
      fileURL: store.file.url, inMemoryIdentifier: store.memoryIdentifier,
      readOnly: store.isReadOnly, schemaVersion: store.schemaVersion,
      objectTypes: store.opensAllClasses ? nil : store.tables.map(\.info.type), logger: store.logger
    )
  }
}
