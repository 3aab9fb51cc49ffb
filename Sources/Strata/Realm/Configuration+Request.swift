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
    return OpenRequest(
      place: place, schemaVersion: schemaVersion, migrationBlock: migrationBlock,
      types: objectTypes,
      isReadOnly: readOnly, startsOverIfMigrationNeeded: deleteRealmIfMigrationNeeded,
      shouldCompact: shouldCompactOnLaunch, seed: seedFilePath, logger: logger,
      logLevel: migrationLogLevel)
  }

  private func createDefaultFolder(of url: URL) throws(RealmError) {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw RealmError(
        .fileAccess,
        "The folder of the default file '\(url.path)' can't be made: \(error.localizedDescription). "
          + "Set `fileURL`.", fileURL: url, underlyingError: error)
    }
  }

  /// The configuration of a store that is open.
  init(openStore store: Store) {
    self.init(
      fileURL: store.file.url, readOnly: store.isReadOnly, schemaVersion: store.schemaVersion,
      objectTypes: store.opensAllClasses ? nil : store.tables.map(\.info.type), logger: store.logger
    )
  }
}
