import Foundation
import GRDB
import Logging
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
  private let entries = Mutex<[ObjectIdentifier: SessionReference]>([:])

  var count: Int { entries.withLock { $0.count } }

  /// - Parameter location: The freezing code, which `activeVersions` shows.
  func session(at snapshot: Snapshot, in store: Store, _ location: CodeLocation) -> Session {
    let key = ObjectIdentifier(snapshot)
    // Released outside of the lock, because the session's `deinit` takes the lock.
    let known = entries.withLock { $0[key]?.object }
    let session = known ?? made(at: snapshot, in: store, key)
    snapshot.uses.begin(ObjectIdentifier(session), isFrozen: true) { "frozen at \(location)" }
    return session
  }

  private func made(at snapshot: Snapshot, in store: Store, _ key: ObjectIdentifier) -> Session {
    let made = Session(store, frozenAt: snapshot)
    let reference = made.reference
    // Another thread may have been faster. Its session, too, is released outside of the lock.
    let first = entries.withLock { entries -> Session? in
      if let known = entries[key]?.object { return known }
      entries[key] = reference
      return nil
    }
    return first ?? made
  }

  /// Removes a session that is being deallocated. Compares references only: a strong reference
  /// taken under the lock could become the last one, and the session's `deinit` takes the lock.
  func remove(_ session: SessionReference, of snapshot: Snapshot) {
    let key = ObjectIdentifier(snapshot)
    entries.withLock { if $0[key] === session { $0[key] = nil } }
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

/// Versions: a session moves from snapshot to snapshot as a whole, and never back.
extension Session {
  /// Whether the session shows commits at once, rather than when it is moved.
  var showsNewest: Bool {
    if case .newest = view { true } else { false }
  }

  /// Holds the newest snapshot until the session is moved.
  func hold() throws(RealmError) {
    guard showsNewest else { return }
    show(try newestSnapshot())
  }

  /// Shows commits at once again.
  func stopHolding() {
    guard case .held = view else { return }
    view = .newest
    if transaction == nil { clock = store.clock }
  }

  /// Moves a session that holds a snapshot to the newest one.
  ///
  /// - Returns: Whether there was a newer one.
  @discardableResult
  func moveToNewest() throws(RealmError) -> Bool {
    guard case .held(let held, _) = view else { return false }
    let snapshot = try newestSnapshot()
    guard snapshot.number > held.number else { return false }
    show(snapshot)
    return true
  }

  /// Holds a snapshot from now on, unless the session is already at it or ahead.
  func move(to snapshot: Snapshot) {
    if let shown = view.snapshot, shown.number >= snapshot.number { return }
    show(snapshot)
  }

  /// Moves a session that holds a snapshot to its own commit, which has succeeded. If no snapshot
  /// can be opened, the session shows the newest state instead.
  func moveWithOwnCommit() {
    guard case .held = view else { return }
    do throws(RealmError) {
      show(try newestSnapshot())
    } catch {
      store.logger?.error("A snapshot can't be kept: \(error.loggedMessage)")
      stopHolding()
    }
  }

  /// The newest snapshot. Inside of a transaction, it doesn't contain the transaction's changes.
  func newestSnapshot() throws(RealmError) -> Snapshot {
    try translatingErrors(at: store.file.url) { try store.snapshots.snapshot() }
  }

  private func show(_ snapshot: Snapshot) {
    assert(snapshot.number >= newestShown, "A session never goes back to an older version.")
    lastMove = max(lastMove, snapshot.number)
    guard case .held(_, let time) = view else {
      view = .held(snapshot, StampClock(startingAt: snapshot.number))
      if transaction == nil { clock = viewClock }
      return
    }
    view = .held(snapshot, time)
    time.set(snapshot.number)
  }

  /// The clock outside of transactions.
  var viewClock: StampClock {
    switch view {
    case .newest: store.clock
    case .held(_, let clock), .frozen(_, let clock): clock
    }
  }

  // MARK: Refreshing

  /// Checks for commits of other processes, and moves to the newest snapshot.
  ///
  /// - Returns: Whether anything was new.
  func refresh() throws(RealmError) -> Bool {
    let observer = currentObserver
    guard transaction == nil, !view.isFrozen, observer?.isDelivering != true else { return false }
    let before = lastMoveOrCommit
    let found = Result { () throws(RealmError) in try store.refresh() }
    // Delivers before an error of `store.refresh()` is thrown, so that observers also receive the
    // error.
    let hasDelivered = observer?.deliverPending() == true
    let isForeign = try found.get()
    try moveToNewest()
    return recordRefresh(since: before) || isForeign || hasDelivered
  }

  /// Returns whether there are newer commits than the session has made or shown, and records them.
  func recordRefresh(since before: UInt64) -> Bool {
    lastMove = max(lastMove, store.snapshots.lastCommits.last)
    return lastMove > before
  }

  /// The newest snapshot that the session shows, by its own commit or by a move.
  var newestShown: UInt64 { max(lastCommit, view.snapshot?.number ?? 0) }

  /// The newest commit that the session has made or shown.
  var lastMoveOrCommit: UInt64 { max(lastMove, lastCommit) }

  func setAutorefresh(_ value: Bool) throws(RealmError) {
    guard !view.isFrozen else {
      throw RealmError(
        .fail, "Auto-refresh cannot be enabled for frozen Realms.", fileURL: store.file.url)
    }
    guard value != refreshesByItself else { return }
    currentObserver?.willLetGo()
    if value { stopHolding() } else { try hold() }
    refreshesByItself = value
    currentObserver?.didSetAutorefresh()
  }
}

extension Session {
  /// Reads the object again if it may be out of date. Returns false if its row was deleted.
  func isCurrent(_ object: ObjectBase, _ table: Table) throws(RealmError) -> Bool {
    if object.isFromBefore { return false }
    if object._state & ObjectState.vanished != 0 || gone.hasRolledBack(object, in: table) {
      return false
    }
    let now = clock.now
    if let transaction {
      if try transaction.isUnchanged(object, table) {
        object._stamp = now
        return true
      }
      guard
        try transaction.write(
          table.texts.selectByID, { try table.reload(object, $0) })
      else { return false }
    } else {
      guard try read(table.texts.selectByID, { try table.reload(object, $0) }) else { return false }
    }
    object._stamp = now
    return true
  }

  func hasDeleted(_ row: Int64, in table: Table) -> Bool {
    guard !isShared else { return false }
    return gone.hasDeleted(row, in: table) || transaction?.hasDeleted(row, in: table) == true
  }

  /// Marks an object as deleted: its use becomes a programmer error.
  func markDeleted(_ object: ObjectBase) {
    object._state = ObjectState.deleted
    object._context = nil
    object._dirty = PropertySet()
    object._links = []
  }

  /// Logs and records an error for code that can't throw.
  ///
  /// In a transaction, the error makes the commit fail: the program bases its changes on what it
  /// has read, and incomplete reads would lead to incomplete changes.
  func report(_ error: RealmError) {
    let error = store.explanation(of: error)
    store.logger?.error("\(error.loggedMessage)")
    record(error)
  }
}

extension Table {
  /// Reads an object's row again; false if the row doesn't exist.
  fileprivate func reload(_ object: ObjectBase, _ statement: RawStatement) throws -> Bool {
    statement.bindRaw(object._rowID, at: 1)
    guard try statement.stepRaw() else { return false }
    read(RowValues(of: statement.sqliteStatement), into: object)
    statement.resetRaw()
    return true
  }
}
