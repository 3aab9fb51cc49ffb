import IssueReporting

extension Session {
  var isInWriteTransaction: Bool { transaction != nil }

  /// Waits for other writers and begins to write.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a read-only realm or inside of a transaction,
  ///   and `fileAccess` when another process doesn't stop writing.
  func beginWrite() throws(RealmError) {
    guard transaction == nil else {
      throw RealmError(
        .fail, "The Realm is already in a write transaction.", fileURL: store.file.url)
    }
    guard !store.isReadOnly else {
      throw RealmError(
        .fail, "Can't perform transactions on read-only Realms.", fileURL: store.file.url)
    }
    try store.beginTransaction()
    begin(WriteTransaction(store))
  }

  /// Begins to write for a caller that can't be told of a failure: `commitWrite` throws it.
  func beginWriteNoting() {
    if let transaction {
      transaction.note(
        RealmError(.fail, "The Realm is already in a write transaction.", fileURL: store.file.url))
      return
    }
    do {
      try beginWrite()
    } catch {
      begin(WriteTransaction(store, failed: error))
    }
  }

  private func begin(_ transaction: WriteTransaction) {
    self.transaction = transaction
    clock = transaction.clock
  }

  /// Makes the changes permanent and visible to others.
  ///
  /// - Throws: The first mistake that was noted, or what SQLite reports; all is rolled back then.
  func commitWrite() throws(RealmError) {
    guard let transaction else {
      throw RealmError(
        .fail, "Can't commit a write transaction: none was begun with 'beginWrite()'.",
        fileURL: store.file.url)
    }
    do throws(RealmError) {
      if let error = transaction.error { throw error }
      try transaction.flushAll()
      if let error = transaction.error { throw error }
    } catch {
      try cancelWrite(because: error)
    }
    do {
      try store.commit(changed: transaction.changedTables)
    } catch {
      transactionEnded(transaction, committed: false)
      throw error
    }
    transactionEnded(transaction, committed: true)
  }

  /// Takes back the changes.
  func cancelWrite() {
    guard let transaction else {
      reportIssue("Can't cancel a write transaction: none was begun with 'beginWrite()'.")
      return
    }
    let rolledBack = Result { () throws(RealmError) in
      if transaction.hasBegun { try store.rollback() }
    }
    transactionEnded(transaction, committed: false)
    if case .failure(let error) = rolledBack { report(error) }
  }

  private func cancelWrite(because error: RealmError) throws(RealmError) -> Never {
    cancelWrite()
    throw error
  }
}
