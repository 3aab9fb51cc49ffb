public import StrataSchema
package import StrataStorage

extension Realm {
  /// The newest transaction of the history; nil where none is kept.
  ///
  /// - Throws: ``Realm/Error`` when the file can't be read.
  public var historyToken: HistoryToken? {
    get throws { try session.query { try HistoryReader.newest($0) } }
  }

  /// The reason why no transaction will come any more: the file was deleted, replaced or moved.
  package var lossOfFile: RealmError? { session.store.writer.lossOfFile }

  /// The transactions of the history after a token, the oldest first; all that are kept for nil.
  ///
  /// ```swift
  /// for transaction in try realm.history(after: last) {
  ///   for change in transaction.changes(of: Order.self) { print(change.identity, change.kind) }
  /// }
  /// ```
  /// They are those of the version that the realm shows, read at one moment; one that is being
  /// written isn't among them. Their order is that in which all processes have committed.
  /// - Throws: ``Realm/Error`` with code `historyExpired` when transactions after the token are no
  ///   longer kept, with `historyDiverged` for a token of another history: the file was restored,
  ///   or has lost its last transactions; with `fail` for a file that keeps no history.
  public func history(
    after token: HistoryToken? = nil, limit: Int = 1_000
  ) throws -> [HistoryTransaction] {
    try session.historyPage(after: token, limit: limit).transactions(session.store.discovered)
  }

  /// The transactions after a token, and each that follows, of any thread and process.
  ///
  /// ```swift
  /// for try await transaction in realm.history(following: saved) {
  ///   for change in transaction.changes(of: Order.self) { try await index(change) }
  ///   saved = transaction.id
  /// }
  /// ```
  /// It ends when the task is cancelled, and throws as ``history(after:limit:)`` does. When another
  /// process has migrated the file it goes on; that of a replica throws, which shows no version of
  /// another schema. It keeps the file open, but neither a version nor a connection between two
  /// elements, and may be used at any place. Several sequences are independent.
  public func history(following token: HistoryToken?) -> HistorySequence {
    HistorySequence(session.store, token)
  }

  /// The object of a change; nil when it is gone, or of another class.
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

  /// Deletes the transactions of the history before a token, whatever its retention and its
  /// consumers say. The newest one stays.
  ///
  /// Waits for other writers. Consumers that hadn't taken them get `historyExpired`.
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
  /// Changes objects as an author, whom the history of the file names; otherwise as ``write(_:)``.
  ///
  /// ```swift
  /// try realm.write(author: "import") { realm.add(order) }
  /// ```
  /// - Parameters:
  ///   - author: The name of the author; nil for none. Without a history it has no effect.
  ///   - block: Changes objects.
  @discardableResult
  public func write<Result>(author: String?, _ block: () throws -> Result) throws -> Result {
    try session.beginWrite()
    session.transaction?.details.author = author
    return try finishWrite(block) { try session.commitWrite() }
  }

  /// Changes objects as an author, without blocking a thread while others write: see
  /// ``asyncWrite(_isolation:_:)`` and ``write(author:_:)``.
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

  /// Begins a transaction as an author: see ``beginWrite()`` and ``write(author:_:)``.
  public func beginWrite(author: String?) {
    session.beginWriteNoting()
    session.transaction?.details.author = author
  }
}
