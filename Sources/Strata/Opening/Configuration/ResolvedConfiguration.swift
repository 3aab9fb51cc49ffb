import Foundation
import Logging
import StrataStorage

/// A configuration with a resolved location, version and classes, whose settings have been checked.
struct ResolvedConfiguration: Sendable {
  enum Location: Sendable {
    case file(URL)
    case memory(identifier: String)
    case replica(ReplicaFile)

    /// The path of the file in messages; the identifier of an in-memory realm.
    var name: String {
      switch self {
      case .file(let url): url.path
      case .memory(let identifier): identifier
      case .replica(let replica): replica.folder.path
      }
    }

    /// The name for observers, without folders.
    var shortName: String {
      switch self {
      case .file(let url): url.lastPathComponent
      case .memory(let identifier): identifier
      case .replica(let replica): replica.folder.url.lastPathComponent
      }
    }
  }

  let settings: RealmConfiguration
  let location: Location
  /// `location.name`, cached because `URL.path` takes some thousand instructions.
  let name: String
  /// The version of the program, or the last version of its plan. With dynamic classes only, the
  /// version of the file once it is known.
  var schemaVersion: UInt64
  /// The classes of the program; nil for every model class in the process.
  var types: [ObjectBase.Type]?
  /// The encryption key of the file; nil for an unencrypted one.
  let key: FileKey?
  var cancellation: Cancellation?
  let observers: ActivityObservers?
  /// The context of the caller of an opening in the background, from each observer.
  var caller: [(any Sendable)?] = []
  /// The running opening, for the observers.
  var opening: RunningActivity?

  init(_ settings: RealmConfiguration) throws(RealmError) {
    self.settings = settings
    if settings.replica != nil { try settings.checkReplica() }
    key = try settings.fileKey()
    location = try settings.location()
    name = location.name
    guard settings.inMemoryIdentifier != nil || !name.isEmpty else {
      throw RealmError(.fail, "Realm path must not be empty.")
    }
    observers = ActivityObservers(settings.observers, file: location.shortName)
    (schemaVersion, types) = try settings.newestVersion()
    try settings.checkReadOnly()
    guard settings.dynamicClasses == .all else { return }
    try settings.checkDynamic()
    types = []
  }

  /// Whether the file is never changed.
  var isReadOnly: Bool { settings.readOnly || settings.replica != nil }

  /// The location of a replica, as set and as resolved; nil for other realms.
  var replica: (settings: RealmConfiguration.Replica, file: ReplicaFile)? {
    guard case .replica(let file) = location, let settings = settings.replica else { return nil }
    return (settings, file)
  }

  /// Returns the file of the realm; for a replica, the file of the version that it shows first.
  ///
  /// - Parameter use: The use of the file, for the error of a realm in memory.
  func file(to use: String) throws(RealmError) -> URL {
    switch location {
    case .file(let url): return url
    case .replica(let replica): return try replica.file().url
    case .memory(let identifier):
      throw RealmError(.fail, "The realm '\(identifier)' in memory has no file to \(use).")
    }
  }

  /// Whether a migration runs code of the caller, which can name any class.
  var runsClosure: Bool { settings.migrationBlock != nil || settings.migrationPlan != nil }

  var logger: Logger { settings.logger ?? SharedLogger.forRealms }

  /// The URL of the realm, for errors that don't concern a specific file of the realm.
  var url: URL? {
    switch location {
    case .file(let url): url
    case .memory: nil
    case .replica(let replica): replica.folder.url
    }
  }
}

extension RealmConfiguration {
  fileprivate func fileKey() throws(RealmError) -> FileKey? {
    guard let encryptionKey else { return nil }
    guard inMemoryIdentifier == nil else {
      throw RealmError(.fail, "Encryption is not supported for in-memory realms")
    }
    guard encryptionKey.count == FileKey.length else {
      throw RealmError(
        .fail,
        "Encryption key must be exactly \(FileKey.length) bytes long, and it has "
          + "\(encryptionKey.count).", fileURL: fileURL)
    }
    guard FileKey.libraryVersion != nil else {
      throw RealmError(
        .fail,
        "Encryption is not supported by the SQLite library of this program: the file would not be "
          + "encrypted. Run the program with SQLCipher in its place (docs/encryption.md), or remove "
          + "`encryptionKey` and keep the file on an encrypted disk.", fileURL: fileURL)
    }
    return FileKey(encryptionKey)
  }

  fileprivate func location() throws(RealmError) -> ResolvedConfiguration.Location {
    if let replica { return .replica(try ReplicaFile(replica)) }
    if let inMemoryIdentifier { return .memory(identifier: inMemoryIdentifier) }
    guard let fileURL else {
      throw RealmError(
        .fail, "A Realm Configuration must specify a path or an in-memory identifier.")
    }
    guard fileURL.isFileURL else {
      throw RealmError(
        .fail,
        "A realm is a file: '\(fileURL.absoluteString)' is not the URL of one. Set `fileURL` to a URL "
          + "of a path, as `URL(fileURLWithPath:)` makes it.", fileURL: fileURL)
    }
    return .file(StoreFile.behindLinks(fileURL))
  }

  /// Returns the version and the classes of the program, from the plan if there is one.
  fileprivate func newestVersion() throws(RealmError) -> (UInt64, [ObjectBase.Type]?) {
    guard let migrationPlan else {
      try checkSchemaVersion()
      return (schemaVersion, objectTypes)
    }
    guard migrationBlock == nil else {
      throw RealmError(
        .fail,
        "Cannot set `migrationBlock` when `migrationPlan` is set: move what the block does into the "
          + "stages of the plan.")
    }
    let newest = try migrationPlan.newest(objectTypes)
    guard schemaVersion == 0 || schemaVersion == newest.version else {
      throw RealmError(
        .fail,
        "Cannot set schema version to \(schemaVersion) when `migrationPlan` ends with version "
          + "\(newest.version): remove `schemaVersion`.")
    }
    return newest
  }

  private func checkSchemaVersion() throws(RealmError) {
    guard schemaVersion > UInt64(Int64.max) else { return }
    throw RealmError(
      .fail,
      "Cannot set schema version to \(schemaVersion)"
        + (schemaVersion == .max
          ? " (RLMNotVersioned)." : ": SQLite's integers end at \(Int64.max)."))
  }

  /// Checks the settings of a read-only file, which can't be emptied or compacted.
  fileprivate func checkReadOnly() throws(RealmError) {
    guard readOnly else { return }
    if deleteRealmIfMigrationNeeded {
      throw RealmError(.fail, "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
    }
    if shouldCompactOnLaunch != nil {
      throw RealmError(.fail, "Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
    }
  }
}

extension RealmConfiguration {
  /// Checks the settings of a realm with the classes of its file, which must exist and isn't
  /// migrated.
  fileprivate func checkDynamic() throws(RealmError) {
    let settings =
      [
        ("schemaVersion", schemaVersion != 0),
        ("objectTypes", objectTypes != nil),
        ("inMemoryIdentifier", inMemoryIdentifier != nil),
      ] + settingsOfMaking
    guard let setting = settings.first(where: \.isSet) else { return }
    throw RealmError(
      .fail,
      "Cannot set `\(setting.name)` when `dynamicClasses` is `.all`: the classes are those of the "
        + "file, and nothing is created or migrated.", fileURL: fileURL)
  }
}

extension RealmConfiguration {
  /// The settings by which a file is created, migrated or emptied, and whether each is set.
  var settingsOfMaking: [(name: String, isSet: Bool)] {
    [
      ("migrationBlock", migrationBlock != nil),
      ("migrationPlan", migrationPlan != nil),
      ("deleteRealmIfMigrationNeeded", deleteRealmIfMigrationNeeded),
      ("seedFilePath", seedFilePath != nil),
      ("convertsRealmFile", convertsRealmFile != nil),
    ]
  }
}

extension ResolvedConfiguration {
  /// Creates the folder of the default file, before the file is accessed.
  func createDefaultFolder() throws(RealmError) {
    guard case .file(let url) = location,
      // The cheap check comes first: finding the user's data folder reads the whole environment.
      name.hasSuffix("/" + RealmConfiguration.defaultFileName),
      url == RealmConfiguration.defaultFileURL
    else { return }
    do throws(RealmError) {
      try PlainFile.makeFolder(url.deletingLastPathComponent())
    } catch {
      var error = error
      error.message += " Set `fileURL`."
      throw error
    }
  }
}
