import Foundation
import GRDB
import StrataStorage
import Synchronization

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

/// The sessions of a store that permanently show one snapshot: one session per snapshot, shared by
/// all callers that freeze it.
final class FrozenSessions: Sendable {
  /// The sessions by snapshot. A committed state has one snapshot object while it is used.
  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  // A class: in debug builds, Swift 6.3 takes a nil optional structure for a present one if the
  // structure has a weak reference beside another field.
  private final class Entry: Sendable {
    let session: WeakReference<Session>
    let identifier: ObjectIdentifier

    init(_ session: Session) {
      self.session = WeakReference(session)
      identifier = ObjectIdentifier(session)
    }
  }

  var count: Int { entries.withLock { $0.count } }

  /// - Parameter location: The freezing code, which `activeVersions` shows.
  func session(at snapshot: Snapshot, in store: Store, _ location: CodeLocation) -> Session {
    let key = ObjectIdentifier(snapshot)
    // Released outside of the lock, because the session's `deinit` takes the lock.
    let known = entries.withLock { $0[key]?.session.object }
    let session = known ?? made(at: snapshot, in: store, key)
    snapshot.uses.begin(ObjectIdentifier(session), isFrozen: true) { "frozen at \(location)" }
    return session
  }

  private func made(at snapshot: Snapshot, in store: Store, _ key: ObjectIdentifier) -> Session {
    let made = Session(store, frozenAt: snapshot)
    let entry = Entry(made)
    // Another thread may have been faster. Its session, too, is released outside of the lock.
    let first = entries.withLock { entries -> Session? in
      if let known = entries[key]?.session.object { return known }
      entries[key] = entry
      return nil
    }
    return first ?? made
  }

  /// Removes a session that is being deallocated. Compares identifiers only: a strong reference
  /// taken under the lock could become the last one, and the session's `deinit` takes the lock.
  func remove(_ session: ObjectIdentifier, of snapshot: Snapshot) {
    let key = ObjectIdentifier(snapshot)
    entries.withLock { if $0[key]?.identifier == session { $0[key] = nil } }
  }
}

extension Session {
  /// The session that permanently shows the current snapshot of this one; inside of a transaction,
  /// the state that was committed before.
  func frozen(at location: CodeLocation) throws(RealmError) -> Session {
    guard !isShared else { return self }
    let snapshot: Snapshot
    if let kept = view.snapshot { snapshot = kept } else { snapshot = try newestSnapshot() }
    return store.frozenSessions.session(at: snapshot, in: store, location)
  }
}
