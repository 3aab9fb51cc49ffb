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
    HistorySequence(store: session.store, token: token)
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
    session.beginWriteRecordingErrors()
    session.transaction?.details.author = author
  }
}

extension Realm {
  /// Waits until the realm shows the transaction of a token, and so everything before it.
  ///
  /// ```swift
  /// // Where it is written, a token goes to the user, for example as a cookie.
  /// try realm.write { realm.add(order) }
  /// let token = try realm.historyToken
  ///
  /// // Where the replica is read, the user's next request brings it.
  /// try await replica.wait(for: token, within: .seconds(2))
  /// ```
  /// Afterwards the realm shows a state with the transaction, or a newer one: never an older one.
  /// On the original file the method only refreshes the realm. A transaction that is older than the
  /// kept history counts as shown.
  /// - Parameters:
  ///   - token: The token of a transaction, from the file or from one of its replicas.
  ///   - limit: The longest time to wait for a replica.
  /// - Throws: ``Realm/Error`` with code `replicaBehind` if the replica lacks the transaction after
  ///   that time, and for a frozen realm at once; `historyDiverged` for a token of another history,
  ///   as after a restore; `fail` for a file without a history; `CancellationError`.
  public func wait(
    for token: HistoryToken, within limit: Duration = .seconds(2),
    _isolation isolation: isolated (any Actor)? = #isolation
  ) async throws {
    if try session.refresh(toShow: token) { return }
    let (store, signal) = (session.store, Signal())
    store.snapshots.commits.add(signal)
    defer { store.snapshots.commits.remove(signal) }
    let end = ContinuousClock.now + limit
    // Polls more often than the observers of a replica, because a user waits.
    let timer = Task {
      while ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(20))
        signal.send()
      }
    }
    defer { timer.cancel() }
    while true {
      if try session.refresh(toShow: token) { return }
      if let error = store.replica?.otherVersion ?? store.writer.lossOfFile { throw error }
      guard ContinuousClock.now < end, !session.view.isFrozen else {
        throw RealmError(
          .replicaBehind,
          ErrorText.replicaBehind(
            store.file.path, token, newest: try historyToken, after: limit),
          fileURL: store.file.url)
      }
      guard await signal.wait(isolation: isolation) else { throw CancellationError() }
    }
  }
}

extension Session {
  /// Refreshes the session. Returns whether the shown state has a transaction, or a newer one.
  ///
  /// - Throws: ``RealmError`` with code `historyDiverged` for a token of another history.
  fileprivate func refresh(toShow token: HistoryToken) throws -> Bool {
    _ = try refresh()
    let isNewer = try query { db in
      let reader = try HistoryReader(db, at: store.file.url)
      if let newest = try HistoryReader.newest(db), newest.position < token.position { return true }
      try reader.checkUnlessExpired(token)
      return false
    }
    // A replica may get it. Another file has it already, if its newest state has it.
    if isNewer, store.replica == nil {
      try store.read { try HistoryReader($0, at: store.file.url).checkUnlessExpired(token) }
    }
    return !isNewer
  }
}

extension HistoryReader {
  /// Checks a token, which may be older than the kept history.
  fileprivate func checkUnlessExpired(_ token: HistoryToken) throws {
    do {
      try check(token)
    } catch RealmError.historyExpired {
      // The file has had it.
    }
  }
}

/// The sequence of a history's transactions, and of all that follow: see
/// `Realm.history(following:)`.
public struct HistorySequence: AsyncSequence, Sendable {
  public typealias Element = HistoryTransaction
  public typealias Failure = any Error

  let store: Store
  let token: HistoryToken?

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(follower: HistoryFollower(store, token))
  }

  /// An iterator that waits for transactions.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let follower: HistoryFollower

    public mutating func next() async throws -> HistoryTransaction? {
      try await follower.next(isolation: nil)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> HistoryTransaction? {
      try await follower.next(isolation: actor)
    }
  }
}

/// The state of one iterator: its position, and the transactions that it has read ahead.
private final class HistoryFollower {
  private let store: Store
  private var token: HistoryToken?
  private var read: ArraySlice<HistoryTransaction> = []
  private let signal = Signal()
  /// The number of transactions that are read at once.
  private static let batch = 100

  init(_ store: Store, _ token: HistoryToken?) {
    self.store = store
    self.token = token
    store.snapshots.commits.add(signal)
  }

  deinit { store.snapshots.commits.remove(signal) }

  func next(isolation actor: isolated (any Actor)?) async throws -> HistoryTransaction? {
    while true {
      if let next = read.popFirst() {
        token = next.id
        return next
      }
      read = try store.read { db in
        try store.historyPage(db, after: token, limit: Self.batch)
      }.transactions(store.discovered)[...]
      if read.isEmpty {
        if let error = store.replica?.otherVersion ?? store.writer.lossOfFile { throw error }
        guard await signal.wait(isolation: actor) else { return nil }
      }
    }
  }
}
