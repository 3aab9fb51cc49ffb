import Foundation
import GRDB
import Logging
import StrataSchema

extension WriteConnection {
  /// Releases the right to write. First checkpoints a long WAL, and deletes expired
  /// transactions of a history when due. Uses another thread if this may have to wait for others.
  func leaveAfterCommit() {
    others.transactionEnded()
    checkpointer.warnOfOldVersions()
    let isDue = checkpointer.isDue
    let settings = settingsToPrune()
    guard isDue || settings != nil else {
      queue.leave()
      return
    }
    guard settings != nil || checkpointer.patience != nil || snapshots.isAnyKept else {
      tidyUp(checkpoints: true, nil)
      return
    }
    queue.keepClosed()
    checkpointQueue.async { [self] in tidyUp(checkpoints: isDue, settings) }
  }

  private func tidyUp(checkpoints: Bool, _ settings: HistorySettings?) {
    defer { queue.leave() }
    do throws(RealmError) {
      if checkpoints { try checkpoint() }
      if let settings { try prune(settings) }
    } catch {
      // The next attempt reports the same, or the realm was closed meanwhile.
      logger?.debug("Tidying up failed: \(error.loggedMessage)")
    }
  }

  /// Checkpoints a long WAL after an opening. A migration is a single commit, whose WAL may be
  /// long.
  package func tidyUpAfterOpening() {
    guard queue.enterAtOnce() else { return }
    do throws(RealmError) {
      try use { try checkpointer.install(on: $0) }
    } catch {
      logger?.debug("Tidying up failed: \(error.loggedMessage)")
    }
    leaveAfterCommit()
  }

  /// Returns the settings of the history if it has expired transactions.
  ///
  /// This runs on the caller's thread, because work on another thread keeps the file open after its
  /// realms are released.
  private func settingsToPrune() -> HistorySettings? {
    guard let settings = log.settingsToPrune() else { return nil }
    do throws(RealmError) {
      return try use { db in try HistoryPruner.isDue(settings, db) } ? settings : nil
    } catch {
      logger?.debug("Checking for expired transactions failed: \(error.loggedMessage)")
      return nil
    }
  }

  private func prune(_ settings: HistorySettings) throws(RealmError) {
    try use { db in
      guard try busyTimeout.withoutWaiting({ try beginsAtOnce(db) }) else { return }
      do {
        let isMoreLeft = try HistoryPruner.prune(settings, db)
        try db.commit()
        if isMoreLeft { log.recordPartialPruning() }
      } catch {
        try db.rollback()
        throw error
      }
    }
  }

  private func checkpoint() throws(RealmError) {
    guard let patience = checkpointer.patience else {
      if snapshots.isAnyKept { checkpointer.waitForMoves() }
      try use { _ = try moveWAL($0) }
      return
    }
    let end = ContinuousClock.now + patience
    var microseconds: UInt32 = 1_000
    var mayBeginAgain = false
    defer { checkpointer.recordPatientAttempt(mayBeginAgain: mayBeginAgain) }
    while true {
      mayBeginAgain = try use { try moveWAL($0) == true && !Checkpointer.isRead($0) }
      guard !mayBeginAgain, ContinuousClock.now < end, !checkpointer.isHeldForLong else { return }
      usleep(microseconds)
      microseconds = min(2 * microseconds, 20_000)
    }
  }

  /// Moves the WAL into the file, as far as no reader needs it. Then, if all of the WAL is in the
  /// file, restarts this process's readers of the newest state, so that they no longer need the
  /// WAL.
  ///
  /// - Returns: Whether all of the WAL is in the file; nil if another process writes, so that
  ///   nothing was done.
  private func moveWAL(_ db: Database) throws -> Bool? {
    guard try busyTimeout.withoutWaiting({ try beginsAtOnce(db) }) else { return nil }
    return try moveWALInTransaction(db)
  }

  /// Moves the WAL in a transaction that has begun, and ends it: no process can commit meanwhile.
  private func moveWALInTransaction(
    _ db: Database, waitingForMoves limit: Duration = .zero
  ) throws -> Bool {
    let result = Result {
      // Observers move on to the commits of other processes.
      try others.notice(db)
      if limit > .zero { checkpointer.waitForMoves(within: limit) }
      let isComplete = try checkpointer.checkpoint()
      if isComplete { checkpointer.renewSnapshots() }
      return isComplete
    }
    try db.rollback()
    return try result.get()
  }

  /// On close, checkpoints a file that was renamed or unlinked.
  ///
  /// SQLite keeps the WAL of a file that was renamed or unlinked while open, and finds a WAL by its
  /// name. The pages of that WAL would be written into the next file of the same name.
  func emptyWALIfMoved(_ db: Database) {
    guard !presence.isThere else { return }
    do {
      // If another process writes, SQLite would checkpoint beside it: TRUNCATE waits for that
      // process before it reads the WAL.
      _ = try db.checkpoint(.truncate)
    } catch {
      logger?.warning(
        """
        '\(url.path)-wal' belongs to the previous file of this name, and couldn't be emptied \
        (\(error)). Remove it, and '\(url.path)-shm', before the new file is opened.
        """)
    }
  }

  /// Moves this process's snapshots off a long WAL of other processes, so that the WAL can be
  /// reset.
  func tidyUpForOthers() throws(RealmError) {
    guard let attempt = checkpointer.foreign.dueAttempt(), queue.enterAtOnce() else { return }
    var isRenewed = false
    defer {
      checkpointer.foreign.record(attempt, isRenewed: isRenewed)
      queue.leave()
    }
    try use { db in
      let end = ContinuousClock.now + attempt.patience
      try others.notice(db)
      checkpointer.waitForMoves(within: attempt.patience)
      while true {
        isRenewed = try moveWAL(db) == true
        // Another process writes, or checkpoints.
        guard !isRenewed, ContinuousClock.now < end else { break }
        usleep(1_000)
      }
      // Interrupts another process that never pauses.
      if !isRenewed, attempt.isUrgent, try beginsSoon(db) {
        isRenewed = try moveWALInTransaction(db, waitingForMoves: .milliseconds(100))
      }
    }
  }

  /// Begins a transaction between two transactions of another process. Returns false if that takes
  /// too long.
  private func beginsSoon(_ db: Database) throws -> Bool {
    try busyTimeout.withoutWaiting {
      for _ in 0..<50 {
        if try beginsAtOnce(db) { return true }
        usleep(200)
      }
      return false
    }
  }

  /// Begins a transaction. Returns false while another process writes.
  func beginsAtOnce(_ db: Database) throws -> Bool {
    do {
      try db.beginTransaction(.immediate)
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return false
    }
  }
}
