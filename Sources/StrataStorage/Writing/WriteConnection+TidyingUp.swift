import Foundation
import GRDB
import Logging
import StrataSchema

extension WriteConnection {
  /// Lets the next transaction begin; when the WAL is long, or it is time to delete what a history
  /// need not keep, after that was done: on another thread, where others may have to be waited for.
  func leaveAfterCommit() {
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
      // The next attempt says the same, or the realm was closed meanwhile.
      logger?.debug("Tidying up failed: \(error.loggedMessage)")
    }
  }

  /// Moves a long WAL into the file, which the opening has left: a migration is one commit, however
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
        let isMoreLeft = try HistoryPruner.prune(settings, db)
        try db.commit()
        if isMoreLeft { log.prunedInPart() }
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
    defer { checkpointer.notePatientAttempt(mayBeginAgain: mayBeginAgain) }
    while true {
      mayBeginAgain = try use { try moveWAL($0) == true && !Checkpointer.isRead($0) }
      guard !mayBeginAgain, ContinuousClock.now < end, !checkpointer.isHeldForLong else { return }
      usleep(microseconds)
      microseconds = min(2 * microseconds, 20_000)
    }
  }

  /// Moves the WAL into the file, as far as no reader needs it, and has the readers of the newest
  /// state begin again, without the WAL, where all of it is in the file.
  ///
  /// - Returns: Whether all of it is; nil, when nothing was done, while another process writes.
  private func moveWAL(_ db: Database) throws -> Bool? {
    guard try busyTimeout.withoutWaiting({ try beginsAtOnce(db) }) else { return nil }
    return try moveWALInTransaction(db)
  }

  /// Does so in a transaction that has begun, and ends it: no process can commit meanwhile.
  private func moveWALInTransaction(
    _ db: Database, waitingForMoves limit: Duration = .zero
  ) throws -> Bool {
    let result = Result {
      // Observers move on to what another process has committed.
      try others.notice(db)
      if limit > .zero { checkpointer.waitForMoves(within: limit) }
      let isComplete = try checkpointer.checkpoint()
      if isComplete { checkpointer.renewSnapshots() }
      return isComplete
    }
    try db.rollback()
    return try result.get()
  }

  /// Has a file that isn't found under its name any more take what is in its WAL, when it is
  /// closed.
  ///
  /// SQLite leaves the WAL of a file that was renamed or unlinked in use as it is, and finds one by
  /// its name: it would write these pages into the next file of the name.
  func emptyWALIfMoved(_ db: Database) {
    guard !presence.isThere else { return }
    do {
      // While another process writes, SQLite would checkpoint beside it: TRUNCATE waits for that
      // one before it looks at the WAL.
      _ = try db.checkpoint(.truncate)
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
      let end = ContinuousClock.now + attempt.patience
      try others.notice(db)
      checkpointer.waitForMoves(within: attempt.patience)
      while true {
        isRenewed = try moveWAL(db) == true
        // Another process writes, or checkpoints.
        guard !isRenewed, ContinuousClock.now < end else { break }
        usleep(1_000)
      }
      // Another process that never pauses is made to.
      if !isRenewed, attempt.isUrgent, try beginsSoon(db) {
        isRenewed = try moveWALInTransaction(db, waitingForMoves: .milliseconds(100))
      }
    }
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
