import CStrataRuntime
import GRDB
import IssueReporting
import Logging
import StrataStorage
import Synchronization

extension Session {
  var isInWriteTransaction: Bool { transaction != nil }

  @inline(never) var currentObserver: SessionObserver? { observer.withLock { $0 } }

  /// Waits for other writers and begins to write.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a read-only realm, inside of a transaction, and
  ///   at another place than the session's, and `fileAccess` if another process doesn't stop
  ///   writing.
  func beginWrite() throws(RealmError) {
    try checkWritable()
    try checkNotWriting()
    currentObserver?.willBeginWrite()
    try store.writer.begin(self)
    try transactionBegan()
  }

  /// - Throws: ``RealmError`` with code `fail` at another place than the session's, and for a realm
  ///   that can't be written to.
  func checkWritable() throws(RealmError) {
    try checkPlace()
    try checkNotFrozen()
    guard !store.settings.isReadOnly else {
      throw RealmError(
        .fail,
        store.replica == nil
          ? "Can't perform transactions on read-only Realms."
          : "Can't perform transactions on a replica: it shows the file of another machine. Write "
            + "there, or open a file of this machine.",
        fileURL: store.file.url)
    }
    try store.checkActiveVersions()
  }

  private func checkNotFrozen() throws(RealmError) {
    guard isShared else { return }
    throw RealmError(.fail, ErrorText.frozenTransaction, fileURL: store.file.url)
  }

  /// - Throws: ``RealmError`` with code `fail` in a transaction. A revoked transaction throws once,
  ///   and has ended then.
  private func checkNotWriting() throws(RealmError) {
    guard let transaction else { return }
    guard transaction.running.isRevoked else { throw alreadyWriting }
    throw takenAway(transaction)
  }

  /// Ends a revoked transaction. Returns the error for the caller.
  private func takenAway(_ transaction: WriteTransaction) -> RealmError {
    transactionEnded(transaction, committed: nil)
    reads?.didCancel()
    currentObserver?.didCancel()
    return RealmError(.fail, ErrorText.abandoned, fileURL: store.file.url)
  }

  private var alreadyWriting: RealmError {
    RealmError(.fail, ErrorText.alreadyWriting, fileURL: store.file.url)
  }

  private func transactionBegan() throws(RealmError) {
    do {
      // A transaction begins at the newest snapshot.
      try moveToNewest()
    } catch {
      try store.writer.rollback()
      throw error
    }
    begin(WriteTransaction(store))
  }

  /// Begins to write when the session's turn has come. Returns false if the turn was taken away;
  /// the caller is then woken again.
  ///
  /// - Throws: ``RealmError`` when no transaction can begin, and `CancellationError` when the turn
  ///   was given up.
  func beginWrite(with turn: WriteTurn) throws -> Bool {
    if transaction == nil { currentObserver?.willBeginWrite() }
    switch store.writer.queue.start(turn) {
    case .entered: break
    case .later: return false
    case .waiting:
      try beginWrite()
      return true
    case .failed(let error): throw error
    case .over: throw CancellationError()
    }
    do {
      try checkNotWriting()
    } catch {
      try store.writer.rollback()
      throw error
    }
    try transactionBegan()
    return true
  }

  /// Waits for other writers without blocking the thread, and begins to write.
  ///
  /// - Throws: As ``beginWrite()`` does, and `CancellationError` when the task is cancelled
  ///   meanwhile.
  func beginWriteAwaiting(isolation: isolated (any Actor)? = #isolation) async throws {
    try checkWritable()
    if let transaction, transaction.running.isRevoked { throw takenAway(transaction) }
    let signal = Signal()
    let turn = store.writer.turn(of: self) { signal.send() }
    try store.writer.queue.ask(turn, by: strata_current_task(), store.file.url)
    while true {
      guard await signal.wait(), !Task.isCancelled else {
        store.writer.queue.giveUp(turn)
        throw CancellationError()
      }
      if try beginWrite(with: turn) { return }
    }
  }

  /// Begins a transaction for code that can't throw. `commitWrite` throws an error that occurs
  /// here.
  func beginWriteRecordingErrors() {
    guard !isShared else {
      reportIssue("\(ErrorText.frozenTransaction)")
      return
    }
    requirePlace()
    if let transaction {
      transaction.record(alreadyWriting)
      return
    }
    do {
      try beginWrite()
      if let transaction { store.writer.queue.began(transaction.running) }
    } catch {
      begin(WriteTransaction(store, failed: error))
    }
  }

  private func begin(_ transaction: WriteTransaction) {
    // A method of an actor may run in a task that has a realm of its own.
    if case .actor = place { store.sessions.known(at: .current)?.lookOld() }
    self.transaction = transaction
    clock = transaction.clock
  }

  /// Commits the changes, and makes them visible to others.
  ///
  /// - Throws: The first recorded error, or SQLite's. The transaction is rolled back then.
  func commitWrite() throws(RealmError) {
    try checkPlace()
    try checkNotFrozen()
    guard let transaction else {
      throw RealmError(
        .fail, "Can't commit a write transaction: none was begun with 'beginWrite()'.",
        fileURL: store.file.url)
    }
    guard transaction.running.end() else { throw takenAway(transaction) }
    do throws(RealmError) {
      if let error = transaction.error { throw error }
      try transaction.flushAll()
      if let error = transaction.error { throw error }
    } catch {
      takeBack(transaction)
      throw error
    }
    let commit: CommittedTransaction
    let noted = reads.map { _ in CommitDetails.Rows() }
    transaction.details.rows = noted
    do {
      commit = try store.writer.commit(changed: transaction.changedTables, transaction.details)
    } catch {
      transactionEnded(transaction, committed: nil)
      reads?.didCancel()
      currentObserver?.didCancel()
      throw error
    }
    transaction.shareLists(at: commit.number)
    transactionEnded(transaction, committed: commit)
    if let noted { reads?.didCommit(noted.recorded, transaction.details, commit.number) }
    currentObserver?.didCommit(commit.number)
  }

  func cancelWrite() {
    requirePlace()
    guard let transaction else {
      reportIssue("Can't cancel a write transaction: none was begun with 'beginWrite()'.")
      return
    }
    if transaction.running.end() { takeBack(transaction) } else { _ = takenAway(transaction) }
  }

  private func takeBack(_ transaction: WriteTransaction) {
    let rolledBack = Result { () throws(RealmError) in
      if transaction.hasBegun { try store.writer.rollback() }
    }
    transactionEnded(transaction, committed: nil)
    if case .failure(let error) = rolledBack { report(error) }
    reads?.didCancel()
    currentObserver?.didCancel()
  }

  /// Records the facts about an ended transaction that later uses of objects depend on.
  ///
  /// - Parameter commit: The commit; nil if there was none.
  func transactionEnded(_ transaction: WriteTransaction, committed commit: CommittedTransaction?) {
    if let commit {
      lastCommit = commit.number
      gone.addDeleted(transaction.deleted)
      for object in transaction.written.current(changedRows: commit.changedRows) {
        object._stamp = commit.number
      }
    } else {
      transaction.abandon()
      gone.addRolledBack(
        transaction.inserted, during: transaction.firstStamp...transaction.clock.now)
    }
    self.transaction = nil
    if commit != nil { moveWithOwnCommit() }
    clock = viewClock
  }
}

extension Session {
  /// Rolls back an abandoned transaction. Called by another thread: uses only thread-safe state.
  func rollBackAbandoned(from place: Place, because reason: String) {
    store.logger?.warning(
      "\(reason) It was begun in \(place).", metadata: ["path": "\(store.file.path)"])
    do {
      try store.writer.rollback()
    } catch {
      store.logger?.error("Rolling back an abandoned transaction failed: \(error.loggedMessage)")
    }
  }
}
