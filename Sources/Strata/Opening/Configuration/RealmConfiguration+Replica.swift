public import Foundation
public import Logging
import StrataStorage

extension RealmConfiguration {
  /// The location of a replica, and the version to open.
  public struct Replica: Sendable, Hashable {
    /// The folder that `strata follow` or `strata publish` writes to.
    public var folder: URL

    /// The time whose newest version is opened. This version never changes. Nil for the newest
    /// version, followed by each new one.
    public var asOf: Date?

    /// The time that opening waits for a first version, and for a version with the program's schema
    /// version. The wait blocks the thread; `Realm.open` doesn't block.
    public var patience: Duration

    /// Creates the location of a replica.
    public init(folder: URL, asOf: Date? = nil, patience: Duration = .zero) {
      self.folder = folder
      self.asOf = asOf
      self.patience = patience
    }
  }

  /// Creates the configuration of a replica: see ``replica``.
  ///
  /// ```swift
  /// let configuration = Realm.Configuration(
  ///   replica: .init(folder: url, patience: .seconds(60)), schemaVersion: 2)
  /// ```
  public init(
    replica: Replica, encryptionKey: Data? = nil, schemaVersion: UInt64 = 0,
    objectTypes: [ObjectBase.Type]? = nil, logger: Logger? = nil
  ) {
    self.init(
      fileURL: nil, encryptionKey: encryptionKey, readOnly: true, schemaVersion: schemaVersion,
      objectTypes: objectTypes, logger: logger)
    self.replica = replica
  }

  /// Checks the settings of a replica. A replica is never changed, so that settings which would
  /// change a file are refused.
  func checkReplica() throws(RealmError) {
    let settings =
      settingsOfMaking + [
        ("shouldCompactOnLaunch", shouldCompactOnLaunch != nil), ("history", history != nil),
      ]
    guard let setting = settings.first(where: \.isSet) else { return }
    throw RealmError(
      .fail,
      "Cannot set `\(setting.name)` when `replica` is set: a replica is never changed.",
      fileURL: replica?.folder)
  }
}

/// The resolved location of a replica: its folder, and its version if fixed.
struct ReplicaFile: Sendable {
  let folder: ReplicaFolder
  /// The fixed version; nil to follow the newest one.
  let fixed: PublicationName?
  let patience: Duration

  /// Resolves the location of a replica.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a URL that isn't a folder, or `fileNotFound` if
  ///   the folder has no version from before the given time.
  init(_ replica: RealmConfiguration.Replica) throws(RealmError) {
    guard replica.folder.isFileURL else {
      throw RealmError(
        .fail,
        "A replica is a folder: '\(replica.folder.absoluteString)' is not the URL of one.",
        fileURL: replica.folder)
    }
    guard !replica.folder.path.isEmpty else {
      throw RealmError(.fail, "The path of a replica must not be empty.")
    }
    let folder = ReplicaFolder(replica.folder)
    self.folder = folder
    fixed = try replica.asOf.map { date throws(RealmError) in try folder.name(asOf: date) }
    patience = fixed == nil ? replica.patience : .zero
  }

  /// Returns the version to open now.
  func file() throws(RealmError) -> PublishedFile {
    if let fixed { return try folder.published(fixed) }
    return try folder.newest()
  }

  var cannotBeChanged: RealmError {
    RealmError(
      .fail,
      "The replica in '\(folder.path)' belongs to `strata follow`: it can't be changed.",
      fileURL: folder.url)
  }
}
