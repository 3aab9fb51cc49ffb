public import StrataSchema
package import StrataStorage

extension Realm {
  /// The newest transaction of the history; nil if the file keeps no history.
  ///
  /// - Throws: ``Realm/Error`` when the file can't be read.
  public var historyToken: HistoryToken? {
    get throws { try session.query { try HistoryReader.newest($0) } }
  }

  /// The error after which no transaction follows, because the file was deleted, replaced or moved.
  package var lossOfFile: RealmError? { session.store.writer.lossOfFile }

  /// Returns the transactions of the history after a token, the oldest first. Nil returns all
  /// transactions that are kept.
  ///
  /// ```swift
  /// for transaction in try realm.history(after: last) {
  ///   for change in transaction.changes(of: Order.self) { print(change.identity, change.kind) }
  /// }
  /// ```
  /// Reads the history up to the snapshot that the realm shows. An open transaction isn't included.
  /// The order is the commit order of all processes.
  /// - Throws: ``Realm/Error`` with code `historyExpired` when transactions after the token are no
  ///   longer kept; `historyDiverged` for a token of another history, after the file was restored
  ///   or has lost its last transactions; `fail` for a file that keeps no history.
  public func history(
    after token: HistoryToken? = nil, limit: Int = 1_000
  ) throws -> [HistoryTransaction] {
    try session.historyPage(after: token, limit: limit).transactions(session.store.discovered)
  }

  /// Returns a sequence of the transactions after a token, and of all that follow, from any thread
  /// or process.
  ///
  /// ```swift
  /// for try await transaction in realm.history(following: saved) {
  ///   for change in transaction.changes(of: Order.self) { try await index(change) }
  ///   saved = transaction.id
  /// }
  /// ```
  /// The sequence ends when the task is canceled, and throws the errors of
  /// ``history(after:limit:)``. It continues after another process has migrated the file. The
  /// sequence of a replica throws then, because a replica can't show a version with another schema.
  /// The sequence keeps the file open, but holds neither a snapshot nor a connection between two
  /// elements. It may be used on any isolation. Several sequences are independent.
  public func history(following token: HistoryToken?) -> HistorySequence {
    HistorySequence(session.store, token)
  }

  /// Returns the object of a change; nil if it was deleted, or is of another class.
  public func object<Element: Object>(
    of change: HistoryChange, as type: Element.Type
  ) -> Element? {
    guard change.className == type.className(), let table = session.table(type) else { return nil }
    do throws(RealmError) {
      return try session.object(row: change.identity, in: table) as? Element
    } catch {
      session.report(error)
      return nil
    }
  }

  /// Deletes the transactions of the history before a token, regardless of its retention and its
  /// consumers. The newest transaction is kept.
  ///
  /// The method waits for other writers. Consumers that haven't processed the deleted transactions
  /// get `historyExpired`.
  /// - Throws: ``Realm/Error`` as ``history(after:limit:)`` does, and with code `fail` inside of a
  ///   write transaction.
  public func deleteHistory(before token: HistoryToken) throws {
    try write(author: nil) {
      try session.changeHistory(checking: token) { db in
        try HistoryPruner.delete(before: token.position, db)
      }
    }
  }
}

extension Realm {
  /// Changes objects in a transaction, like ``write(_:)``, and records its author in the history.
  ///
  /// ```swift
  /// try realm.write(author: "import") { realm.add(order) }
  /// ```
  /// - Parameters:
  ///   - author: The name of the author; nil for none. The author has no effect without a history.
  ///   - block: The changes.
  @discardableResult
  public func write<Result>(author: String?, _ block: () throws -> Result) throws -> Result {
    try session.beginWrite()
    session.transaction?.details.author = author
    return try finishWrite(block) { try session.commitWrite() }
  }

  /// Changes objects in a transaction with an author, without blocking a thread while others write:
  /// see ``asyncWrite(_isolation:_:)`` and ``write(author:_:)``.
  @discardableResult
  public func asyncWrite<Result>(
    author: String?, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: () throws -> Result
  ) async throws -> Result {
    let session = session
    return try await asyncWrite(_isolation: isolation) {
      session.transaction?.details.author = author
      return try block()
    }
  }

  /// Begins a transaction with an author: see ``beginWrite()`` and ``write(author:_:)``.
  public func beginWrite(author: String?) {
    session.beginWriteNoting()
    session.transaction?.details.author = author
  }
}
