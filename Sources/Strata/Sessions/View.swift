import Foundation
import GRDB
import StrataStorage

/// The state that a session reads, outside of its transactions.
enum View {
  /// The newest committed snapshot at the time of each read.
  case newest
  /// A snapshot that the session keeps until it moves.
  case held(Snapshot, StampClock)
  /// A snapshot that the session keeps permanently.
  case frozen(Snapshot, StampClock)

  /// The snapshot that is kept; nil for the newest one.
  var snapshot: Snapshot? {
    switch self {
    case .newest: nil
    case .held(let snapshot, _), .frozen(let snapshot, _): snapshot
    }
  }

  var isFrozen: Bool {
    if case .frozen = self { true } else { false }
  }
}

extension Session {
  /// Runs a closure with a connection that sees the view of this session.
  func read<Result>(_ body: (Database) throws -> Result) throws(RealmError) -> Result {
    try translatingErrors(at: store.file.url) {
      if let snapshot = try snapshotToRead() { return try snapshot.read(body) }
      return try store.readers.read(body)
    }
  }

  /// Runs a closure with the statement of a text on a connection that sees the view of this
  /// session.
  func read<Result>(
    _ text: StatementText, _ body: (RawStatement) throws -> Result
  ) throws(RealmError) -> Result {
    // Without `translatingErrors`: each small query passes here, and the closure and the path would
    // make a query a fiftieth slower.
    do {
      if let snapshot = try snapshotToRead() { return try snapshot.read(text, body) }
      return try store.readers.read(text, body)
    } catch {
      throw RealmError(error, at: store.file.url)
    }
  }

  func snapshotToRead() throws -> Snapshot? {
    if let snapshot = view.snapshot { return snapshot }
    if !refreshesByItself, transaction == nil {
      // The session was invalidated, which has released its snapshot.
      try hold()
      if let snapshot = view.snapshot { return snapshot }
    }
    return Self.readsSnapshots ? try store.snapshots.freshSnapshot() : nil
  }

  /// Whether each read of the newest state opens a snapshot, for tests: all code paths must work
  /// so.
  private static let readsSnapshots =
    ProcessInfo.processInfo.environment["STRATA_VIEWS"] == "held"
}
