import GRDB
import Logging
import StrataStorage

/// Versions: what a session sees moves as a whole, and never back.
extension Session {
  /// Whether the session shows commits at once, rather than when it is moved.
  var showsNewest: Bool {
    if case .newest = view { true } else { false }
  }

  /// Keeps the snapshot that is the newest one now, until the session is moved.
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
  /// - Returns: Whether there is another one.
  @discardableResult
  func moveToNewest() throws(RealmError) -> Bool {
    guard case .held(let held, _) = view else { return false }
    let snapshot = try newestSnapshot()
    guard snapshot.number > held.number else { return false }
    show(snapshot)
    return true
  }

  /// Holds a snapshot from now on, unless the session is ahead of it.
  func move(to snapshot: Snapshot) {
    if let shown = view.snapshot, shown.number >= snapshot.number { return }
    show(snapshot)
  }

  /// Moves a session that holds a snapshot with its own commit, which has succeeded: where no
  /// snapshot can be had, the session shows what is newest.
  func moveWithOwnCommit() {
    guard case .held = view else { return }
    do throws(RealmError) {
      show(try newestSnapshot())
    } catch {
      store.logger?.error("A snapshot can't be kept: \(error.loggedMessage)")
      stopHolding()
    }
  }

  /// The newest snapshot, also inside of a transaction, whose changes aren't in it.
  func newestSnapshot() throws(RealmError) -> Snapshot {
    try translatingErrors(at: store.file.url) { try store.snapshots.snapshot() }
  }

  private func show(_ snapshot: Snapshot) {
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

  /// Looks for commits of other processes, and moves to the newest snapshot.
  ///
  /// - Returns: Whether there was anything new.
  func refresh() throws(RealmError) -> Bool {
    let observer = currentObserver
    guard transaction == nil, !view.isFrozen, observer?.isDelivering != true else { return false }
    let before = lastMoveOrCommit
    let found = Result { () throws(RealmError) in try store.refresh() }
    // Also what tells observers of the same mistake.
    let hasDelivered = observer?.deliverPending() == true
    let isForeign = try found.get()
    try moveToNewest()
    return noteRefresh(since: before) || isForeign || hasDelivered
  }

  /// Says whether there are newer commits than those that the session has made or shown.
  func noteRefresh(since before: UInt64) -> Bool {
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
