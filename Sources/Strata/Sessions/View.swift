import Foundation
import GRDB
import StrataStorage

/// The state that a session reads, outside of its transactions.
enum View {
  /// The newest committed snapshot, at each moment.
  case newest
  /// A snapshot that the session keeps until it moves.
  case held(Snapshot, StampClock)
  /// A snapshot that it keeps for good.
  case frozen(Snapshot, StampClock)

  /// The snapshot that stays; nil for the newest one.
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
    // Not by `translatingErrors`: this is the way of each small query, which its closure and its
    // path would make a fiftieth longer.
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
      // After it was let go.
      try hold()
      if let snapshot = view.snapshot { return snapshot }
    }
    return Self.readsSnapshots ? try store.snapshots.freshSnapshot() : nil
  }

  /// Has each reading of the newest state begin a snapshot, for tests: all paths must work so.
  private static let readsSnapshots =
    ProcessInfo.processInfo.environment["STRATA_VIEWS"] == "held"
}
