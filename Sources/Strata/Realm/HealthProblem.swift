public import StrataStorage

/// A reason why a file can't be read and written now: see `Realm.health(of:within:)`.
public enum HealthProblem: Sendable {
  /// No realm of the file is open in this process.
  case notOpen
  /// Others, in this process or another one, have been writing for all of the time.
  case writerBusy(waited: Duration)
  /// Another process has brought the file to another schema version: this program must be
  /// restarted, or replaced by its next version.
  case otherSchemaVersion(UInt64?)
  /// The volume has no more than these bytes left.
  case noSpace(bytes: UInt64)
  /// The WAL has become that long: something keeps a version of the file
  /// (``Realm/activeVersions``).
  case walTooLong(bytes: Int)
  /// A replica is that far behind the file that it is a copy of.
  case lag(Duration)
  /// The file can't be read or written, or the newest version of a replica can't be shown.
  case cannotRead(RealmError)
}

extension HealthProblem: CustomStringConvertible {
  /// A sentence for a log, without values of objects.
  public var description: String {
    switch self {
    case .notOpen: "The file is not open."
    case .writerBusy(let waited):
      "Others were writing for \(waited.milliseconds) ms."
    case .otherSchemaVersion(let version):
      "Another process has brought the file to schema version \(version.map { "\($0)" } ?? "none")."
    case .noSpace(let bytes): "The volume of the file has \(bytes) bytes left."
    case .walTooLong(let bytes):
      "The WAL of the file has \(bytes >> 20) MB: something keeps a version of the file."
    case .lag(let lag): "The replica is \(lag.components.seconds) s behind."
    case .cannotRead(let error): error.loggedMessage
    }
  }
}
