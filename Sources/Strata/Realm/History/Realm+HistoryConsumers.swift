public import StrataSchema
import StrataStorage

extension Realm {
  /// Gives a consumer the transactions of the history that it hasn't had yet, in a transaction that
  /// also stores how far it is: exactly once, for what the closure writes to the same file.
  ///
  /// ```swift
  /// try realm.consumeHistory(as: "outbox") { transactions in
  ///   for change in transactions.flatMap({ $0.changes(of: Order.self) }) {
  ///     realm.add(Message(for: change))
  ///   }
  /// }
  /// ```
  /// A new consumer gets all that is kept. What the closure writes has the consumer as its author,
  /// and is not given to it: no author of other transactions may have its name. When the closure
  /// throws, its changes are rolled back, and the transactions come again.
  /// - Parameters:
  ///   - consumer: The name of the consumer in the file.
  ///   - limit: How many transactions it gets at once at most.
  ///   - body: Called once with the transactions, the oldest first.
  /// - Returns: How many transactions there were; for 0 nothing was written, and the closure not
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
      // The closure may have ended the transaction: then it comes again.
      guard isInWriteTransaction else { return 0 }
      try session.changeHistory { try HistoryConsumers.move(consumer, to: last, $0) }
      return others.count
    }
  }

  /// Gives a consumer the transactions of the history that it hasn't had yet, for the world
  /// outside: how far it is, is stored after the closure returns, so that it gets each transaction
  /// at least once. A token is the key by which a receiver knows what it had.
  ///
  /// ```swift
  /// try await realm.sendHistory(as: "search") { transactions in
  ///   for transaction in transactions { try await server.send(transaction.changes) }
  /// }
  /// ```
  /// Nothing is locked while the closure runs.
  ///
  /// The position of the consumer is in the file, and goes back with it where an older copy takes
  /// its place. The outside then has what the file has lost, and nothing says so: have the receiver
  /// keep the token of what it had last, and ask ``history(after:limit:)`` with it first, which
  /// throws `historyDiverged`.
  /// - Returns: How many transactions there were; for 0 the closure was not called.
  /// - Throws: As ``consumeHistory(as:limit:_:)`` does, and `CancellationError`.
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

  /// The consumers of the history, by name.
  ///
  /// - Throws: ``Realm/Error`` as ``history(after:limit:)`` does.
  public func historyConsumers() throws -> [HistoryConsumer] {
    let url = session.store.file.url
    return try session.query { db in
      _ = try HistoryReader(db, at: url)
      return try HistoryConsumers.all(db).map(HistoryConsumer.init)
    }
  }

  /// Removes a consumer, for which transactions wait no longer; if it comes back, it is a new one.
  ///
  /// - Throws: ``Realm/Error`` with code `fail` when there is no such consumer, or inside of a
  ///   write transaction.
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

  /// Has a consumer go on behind a token, for one that has read all objects again: after
  /// `historyExpired`, for example.
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

  /// The next transactions of others that a consumer hasn't had, and the last one of all that were
  /// looked at: its own are passed over, however many there are.
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

  /// Whether there is a transaction that a consumer hasn't had.
  private func hasNews(for consumer: String) throws -> Bool {
    let url = session.store.file.url
    try HistoryConsumers.check(consumer, author: session.store.settings.author, at: url)
    return try session.query { db in
      _ = try HistoryReader(db, at: url)
      return try HistoryConsumers.token(of: consumer, db) != HistoryReader.newest(db)
    }
  }
}
