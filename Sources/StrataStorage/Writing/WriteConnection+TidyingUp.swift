import Dispatch
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
    checkpointer.waitForMoves()
    try use { db in
      guard checkpointer.checkpoint(db) else { return }
      // Other processes can't commit in it. One that does now will checkpoint the WAL later.
      guard try busyTimeout.withoutWaiting({ try beginsAtOnce(db) }) else { return }
      let haveCommitted = Result { try others.haveCommitted(db) }
      if case .success(false) = haveCommitted { checkpointer.renewSnapshots() }
      try db.rollback()
      _ = try haveCommitted.get()
    }
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
