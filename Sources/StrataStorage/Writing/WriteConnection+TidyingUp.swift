import Foundation
import GRDB
import Logging
import StrataSchema

extension WriteConnection {
  /// Lets the next transaction begin; when the WAL is long, or it is time to delete what a history
  /// need not keep, after that was done, on another thread.
  func leaveAfterCommit() {
    checkpointer.warnOfOldVersions()
    let isDue = checkpointer.isDue
    let settings = settingsToPrune()
    guard isDue || settings != nil else {
      queue.leave()
      return
    }
    queue.keepClosed()
    checkpointQueue.async { [self] in
      defer { queue.leave() }
      do throws(RealmError) {
        if isDue { try checkpoint() }
        if let settings { try prune(settings) }
      } catch {
        // The next attempt says the same, or the realm was closed meanwhile.
        logger?.debug("Tidying up failed: \(error.loggedMessage)")
      }
    }
  }

  /// The settings of the history, if there is something that it need not keep any longer.
  ///
  /// It is looked for on the thread of the caller: what goes on on another one keeps the file open
  /// after its realms are released.
  private func settingsToPrune() -> HistorySettings? {
    guard let settings = log.settingsToPrune() else { return nil }
    do throws(RealmError) {
      return try use { db in try HistoryPruner.isDue(settings, db) } ? settings : nil
    } catch {
      logger?.debug("Looking for old transactions failed: \(error.loggedMessage)")
      return nil
    }
  }

  private func prune(_ settings: HistorySettings) throws(RealmError) {
    try use { db in
      guard try busyTimeout.withoutWaiting({ try beginsAtOnce(db) }) else { return }
      do {
        try HistoryPruner.prune(settings, db)
        try db.commit()
      } catch {
        try db.rollback()
        throw error
      }
    }
  }

  private func checkpoint() throws(RealmError) {
    if let patience = checkpointer.patience {
      return try use { db in
        try busyTimeout.withoutWaiting {
          try checkpointer.restart(db, within: patience) {
            if try renewSnapshots(db) { return true }
            // Observers move on to what another process has committed.
            try others.notice(db)
            return false
          }
        }
      }
    }
    checkpointer.waitForMoves()
    try use { db in
      guard checkpointer.checkpoint(db) else { return }
      _ = try busyTimeout.withoutWaiting { try renewSnapshots(db) }
    }
  }

  /// Has a file that isn't found under its name any more take what is in its WAL, when it is
  /// closed.
  ///
  /// SQLite leaves the WAL of a file that was renamed or unlinked in use as it is, and finds one by
  /// its name: it would write these pages into the next file of the name.
  func emptyWALIfMoved(_ db: Database) {
    guard !presence.isThere else { return }
    do {
      _ = try busyTimeout.withoutWaiting { try db.checkpoint(.truncate) }
    } catch {
      logger?.warning(
        """
        '\(url.path)-wal' belongs to the file that had the name before, and couldn't be emptied \
        (\(error)). Remove it, and '\(url.path)-shm', before the new file is opened.
        """)
    }
  }

  /// Has the snapshots of this process need nothing of a long WAL that other processes write.
  func tidyUpForOthers() throws(RealmError) {
    guard let attempt = checkpointer.foreign.dueAttempt(), queue.enterAtOnce() else { return }
    var isRenewed = false
    defer {
      checkpointer.foreign.note(attempt, isRenewed: isRenewed)
      queue.leave()
    }
    try use { db in
      if try moveOn(db, within: attempt.patience) {
        isRenewed = try busyTimeout.withoutWaiting { try renewSnapshots(db) }
      }
      // Another process that never pauses is made to.
      if !isRenewed, attempt.isUrgent, try beginsSoon(db) {
        let result = Result {
          guard try moveOn(db, within: .milliseconds(100)) else { return false }
          checkpointer.renewSnapshots()
          return true
        }
        try db.rollback()
        isRenewed = try result.get()
      }
    }
  }

  /// Has observers move on to the newest state, and moves all of the WAL into the file.
  ///
  /// - Returns: Whether it is all of it.
  private func moveOn(_ db: Database, within limit: Duration) throws -> Bool {
    let end = ContinuousClock.now + limit
    try others.notice(db)
    checkpointer.waitForMoves(within: limit)
    return try checkpointer.checkpointAsReader(until: end)
  }

  /// Begins a transaction between two of another process; false if that takes long.
  private func beginsSoon(_ db: Database) throws -> Bool {
    try busyTimeout.withoutWaiting {
      for _ in 0..<50 {
        if try beginsAtOnce(db) { return true }
        usleep(200)
      }
      return false
    }
  }

  /// Has the readers of the newest state begin again, without the WAL, all of which is in the file.
  ///
  /// - Returns: False while another process writes, or when it has committed: it will checkpoint
  ///   the WAL later.
  private func renewSnapshots(_ db: Database) throws -> Bool {
    // Other processes can't commit in it.
    guard try beginsAtOnce(db) else { return false }
    let haveCommitted = Result { try others.haveCommitted(db) }
    if case .success(false) = haveCommitted { checkpointer.renewSnapshots() }
    try db.rollback()
    return try !haveCommitted.get()
  }

  /// Begins a transaction; false while another process writes.
  func beginsAtOnce(_ db: Database) throws -> Bool {
    do {
      try db.beginTransaction(.immediate)
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return false
    }
  }
}
