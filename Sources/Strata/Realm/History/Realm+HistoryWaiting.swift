public import StrataSchema
import StrataStorage

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
    _ = try session.refresh()
    if try session.shows(token) { return }
    let (store, signal) = (session.store, Signal())
    store.snapshots.commits.add(signal)
    defer { store.snapshots.commits.remove(signal) }
    let end = ContinuousClock.now + limit
    // More often than observers of a replica look: a user waits.
    let timer = Task {
      while ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(20))
        signal.send()
      }
    }
    defer { timer.cancel() }
    while true {
      _ = try session.refresh()
      if try session.shows(token) { return }
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
  /// Whether the shown state has a transaction. False only for a replica.
  ///
  /// - Throws: ``RealmError`` with code `historyDiverged` for a token of another history.
  fileprivate func shows(_ token: HistoryToken) throws -> Bool {
    try query { db in
      let reader = try HistoryReader(db, at: store.file.url)
      if store.replica != nil, let newest = try HistoryReader.newest(db),
        newest.position < token.position
      {
        return false
      }
      do {
        try reader.check(token)
      } catch RealmError.historyExpired {
        return true
      }
      return true
    }
  }
}
