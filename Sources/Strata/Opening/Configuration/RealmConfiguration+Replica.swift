public import Foundation
public import Logging
import StrataStorage

extension RealmConfiguration {
  /// The place of a replica, and which of its versions is opened.
  public struct Replica: Sendable, Hashable {
    /// The folder that `strata follow` or `strata publish` writes to.
    public var folder: URL

    /// Opens the version that was the newest one at that time, for good: it never changes. Nil for
    /// the newest one, and for each that comes.
    public var asOf: Date?

    /// How long opening waits for a first version, and for one that is at the schema version of the
    /// program. It blocks the thread meanwhile; `Realm.open` doesn't.
    public var patience: Duration

    /// Makes the place of a replica.
    public init(folder: URL, asOf: Date? = nil, patience: Duration = .zero) {
      self.folder = folder
      self.asOf = asOf
      self.patience = patience
    }
  }

  /// Makes the configuration of a replica: see ``replica``.
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

  /// A replica is never changed: settings that would change a file have no place beside it.
  func checkReplica() throws(RealmError) {
    let settings =
      settingsOfMaking + [
        ("shouldCompactOnLaunch", shouldCompactOnLaunch != nil), ("history", history != nil),
      ]
    guard let setting = settings.first(where: \.isSet) else { return }
    throw RealmError(
      .fail, ErrorText.contradictsReplica(setting.name), fileURL: replica?.folder)
  }
}

/// The place of a replica that is known: its folder, and its version where that is fixed.
struct ReplicaFile: Sendable {
  let folder: ReplicaFolder
  /// The version that is shown for good.
  let fixed: PublicationName?
  let patience: Duration

  /// - Throws: ``RealmError`` with code `fail` for what is no folder, and `fileNotFound` where it
  ///   has no version from before a time.
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

  /// The version to open now.
  func file() throws(RealmError) -> PublishedFile {
    if let fixed { return try folder.published(fixed) }
    return try folder.newest()
  }

  /// The error of a call that would change it.
  var cannotBeChanged: RealmError {
    RealmError(
      .fail, ErrorText.replicaCannotBeChanged(folder.path), fileURL: folder.url)
  }
}
