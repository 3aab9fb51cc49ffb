import GRDB
import Logging
import StrataStorage

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
