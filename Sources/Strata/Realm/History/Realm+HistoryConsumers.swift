public import StrataSchema
import StrataStorage

extension Realm {
  /// Passes the unprocessed transactions of the history to a consumer, in a transaction that also
  /// stores the consumer's position. For writes to the same file, each transaction is processed
  /// exactly once.
  ///
  /// ```swift
  /// try realm.consumeHistory(as: "outbox") { transactions in
  ///   for change in transactions.flatMap({ $0.changes(of: Order.self) }) {
  ///     realm.add(Message(for: change))
  ///   }
  /// }
  /// ```
  /// A new consumer gets all transactions that are kept. The consumer is the author of the
  /// closure's own writes, which aren't passed to it: no other author may have its name. When the
  /// closure throws, its changes are rolled back, and the transactions are passed again next time.
  /// - Parameters:
  ///   - consumer: The name of the consumer in the file.
  ///   - limit: The maximum number of transactions in one call.
  ///   - body: A closure that is called once with the transactions, the oldest first.
  /// - Returns: The number of transactions. If 0, nothing was written, and the closure was not
  ///   called.
  /// - Throws: The error of the closure, and ``Realm/Error`` as `write` and
  ///   ``history(after:limit:)`` do.
  @discardableResult
  public func consumeHistory(
    as consumer: String, limit: Int = 100, _ body: ([HistoryTransaction]) throws -> Void
  ) throws -> Int {
    guard try hasNews(for: consumer) else { return 0 }
    let session = session
    return try write(author: consumer) {
      let (others, last) = try news(for: consumer, limit: limit)
      guard let last else {
        cancelWrite()
        return 0
      }
      if !others.isEmpty { try body(others) }
      // The closure may have ended the transaction. Then the transactions are passed again.
      guard isInWriteTransaction else { return 0 }
      try session.changeHistory { try HistoryConsumers.move(consumer, to: last, $0) }
      return others.count
    }
  }

  /// Passes the unprocessed transactions of the history to a consumer that sends them elsewhere.
  /// The consumer's position is stored after the closure returns, so that each transaction is
  /// passed at least once. Receivers can use the token of a transaction to recognize duplicates.
  ///
  /// ```swift
  /// try await realm.sendHistory(as: "search") { transactions in
  ///   for transaction in transactions { try await server.send(transaction.changes) }
  /// }
  /// ```
  /// No lock is held while the closure runs.
  ///
  /// The position of the consumer is stored in the file. If an older copy replaces the file, the
  /// position goes back as well, and the receiver has transactions that the file has lost. To
  /// detect this, store the last token at the receiver and call ``history(after:limit:)`` with it
  /// first, which throws `historyDiverged`.
  /// - Returns: The number of transactions. If 0, the closure was not called.
  /// - Throws: The errors of ``consumeHistory(as:limit:_:)``, and `CancellationError`.
  @discardableResult
  public func sendHistory(
    as consumer: String, limit: Int = 100, isolation: isolated (any Actor)? = #isolation,
    _ body: ([HistoryTransaction]) async throws -> Void
  ) async throws -> Int {
    guard try hasNews(for: consumer) else { return 0 }
    let session = session
    let (others, last) = try news(for: consumer, limit: limit)
    guard let last else { return 0 }
    if !others.isEmpty { try await body(others) }
    try await asyncWrite(author: consumer, _isolation: isolation) {
      try session.changeHistory { try HistoryConsumers.advance(consumer, to: last, $0) }
    }
    return others.count
  }

  /// Returns the consumers of the history, by name.
  ///
  /// - Throws: ``Realm/Error`` as ``history(after:limit:)`` does.
  public func historyConsumers() throws -> [HistoryConsumer] {
    let url = session.store.file.url
    return try session.query { db in
      _ = try HistoryReader(db, at: url)
      return try HistoryConsumers.all(db).map(HistoryConsumer.init)
    }
  }

  /// Removes a consumer, so that transactions aren't kept for it any more. If the name is used
  /// again, it is a new consumer.
  ///
  /// - Throws: ``Realm/Error`` with code `fail` for an unknown consumer, or inside of a write
  ///   transaction.
  public func removeHistoryConsumer(_ name: String) throws {
    let url = session.store.file.url
    try write(author: nil) {
      try session.changeHistory { db in
        guard try HistoryConsumers.remove(name, db) else {
          throw RealmError(.fail, "The history has no consumer '\(name)'.", fileURL: url)
        }
      }
    }
  }

  /// Sets the position of a consumer to a token. Use this for a consumer that has read all objects
  /// again, for example after `historyExpired`.
  ///
  /// ```swift
  /// let now = try realm.historyToken!
  /// try rebuildIndex(from: realm)
  /// try realm.moveHistoryConsumer("search", to: now)
  /// ```
  /// - Throws: ``Realm/Error`` as ``history(after:limit:)`` does, and with code `fail` inside of a
  ///   write transaction.
  public func moveHistoryConsumer(_ name: String, to token: HistoryToken) throws {
    let store = session.store
    try HistoryConsumers.check(name, author: store.settings.author, at: store.file.url)
    try write(author: nil) {
      try session.changeHistory(checking: token) { try HistoryConsumers.move(name, to: token, $0) }
    }
  }

  /// Returns the next unprocessed transactions of other authors, and the last transaction that was
  /// read. The consumer's own transactions are skipped, however many there are.
  private func news(
    for consumer: String, limit: Int
  ) throws -> (others: [HistoryTransaction], last: HistoryToken?) {
    var page = try session.historyPage(for: consumer, limit: limit)
    var last: HistoryToken?
    while let end = page.entries.last {
      last = end.token
      let others = page.transactions(session.store.discovered).filter { $0.author != consumer }
      guard others.isEmpty else { return (others, last) }
      page = try session.historyPage(after: last, limit: limit)
    }
    return ([], last)
  }

  /// Returns whether a consumer has unprocessed transactions.
  private func hasNews(for consumer: String) throws -> Bool {
    let url = session.store.file.url
    try HistoryConsumers.check(consumer, author: session.store.settings.author, at: url)
    return try session.query { db in
      _ = try HistoryReader(db, at: url)
      return try HistoryConsumers.token(of: consumer, db) != HistoryReader.newest(db)
    }
  }
}
