/// The state of an open file, as a ``RealmActivityObserver`` hears of it each second.
public struct RealmFileStatus: Sendable {
  /// The last part of the file's path; for a realm in memory its identifier.
  public var file: String

  /// The versions that are kept in this process: see `Realm.activeVersions`.
  public var versionsKept = 0
  /// How long the oldest of them has been kept.
  public var oldestVersionAge = Duration.zero

  /// Of the file without its WAL.
  public var fileBytes: Int64 = 0
  /// Of the WAL.
  public var walBytes: Int64 = 0

  /// The threads and tasks of this process that wait to write.
  public var writersWaiting = 0

  /// How far a replica is behind the file that it is a copy of; nil where that isn't known.
  public var replicaLag: Duration?
  /// Whether a replica can't show its newest version; nil for other files.
  public var hasReplicaProblem: Bool?

  /// The number of transactions that each consumer of the history hasn't taken yet, by its name.
  public var behind: [String: Int] = [:]

  /// Describes a file; for the tests of an observer.
  public init(file: String) { self.file = file }
}
