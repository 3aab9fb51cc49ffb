public import Dispatch
public import GRDB

extension Realm {
  /// Calls a closure with GRDB's database connection, for tasks that are best done in SQL.
  ///
  /// ```swift
  /// let totals = try realm.withDatabase { db in
  ///   try Row.fetchAll(db, sql: "SELECT city, count(*) FROM Person GROUP BY city")
  /// }
  /// try realm.write {
  ///   realm.add(note)
  ///   try realm.withDatabase { db in
  ///     try db.execute(
  ///       sql: "INSERT INTO search(rowid, text) VALUES (?, ?)", arguments: [id, text])
  ///   }
  /// }
  /// ```
  /// Outside of a write transaction, the closure reads one committed snapshot of the file and can't
  /// write. Inside of a write transaction, the closure is part of the transaction: it sees the
  /// changes made so far, and its own changes are committed or rolled back with the others.
  /// Objects, results and collections show these changes.
  ///
  /// Rules:
  /// - The closure must not begin, commit or roll back transactions. Neither the connection nor
  ///   lazily read rows may escape from the closure.
  /// - You may create tables, indexes, triggers and views of your own. Only migrations may change
  ///   the tables of model classes; their rows may be written in the format that
  ///   `docs/file-format.md` describes.
  /// - Foreign keys are checked when the transaction is committed.
  /// - Throws: The error of the closure.
  public func withDatabase<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try session.withDatabase(body)
  }

  /// Reads the state that the realm shows, inside of `write` with the changes so far.
  ///
  /// Unlike a closure of ``withDatabase(_:)``, the closure must not write: so the library needn't
  /// look for its changes.
  package func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try session.query { db in Result { try body(db) } }.get()
  }

  /// Starts a GRDB observation. The closure gets the current value, and a new value after each
  /// transaction of this process that may have changed it.
  ///
  /// ```swift
  /// let count = ValueObservation.tracking {
  ///   try Int.fetchOne($0, sql: "SELECT count(*) FROM Person")
  /// }
  /// let cancellable = try realm.startObservation(of: count, onError: { print($0) }) {
  ///   print($0 ?? 0)
  /// }
  /// ```
  /// The observation ends when the result is released or canceled; the file stays open until then.
  /// Changes by other processes are not observed.
  /// - Parameters:
  ///   - observation: The observation of a value.
  ///   - scheduler: The scheduler of the closures; by default, the main queue.
  ///   - onError: A closure that is called when a value can't be fetched.
  ///   - onChange: A closure that is called with each value.
  /// - Throws: ``Realm/Error`` with code `fail` inside of a write transaction, and for a read-only
  ///   realm.
  public func startObservation<Value: Sendable>(
    of observation: ValueObservation<ValueReducers.Fetch<Value>>,
    scheduling scheduler: some ValueObservationScheduler = .async(onQueue: .main),
    onError: @escaping @Sendable (any Swift.Error) -> Void,
    onChange: @escaping @Sendable (Value) -> Void
  ) throws -> AnyDatabaseCancellable {
    try session.startObservation { [store = session.store] queue in
      let cancellable = observation.start(
        in: queue, scheduling: scheduler, onError: onError, onChange: onChange)
      return AnyDatabaseCancellable {
        cancellable.cancel()
        withExtendedLifetime(store) {}
      }
    }
  }

  /// Returns the values of a GRDB observation as an asynchronous sequence: see
  /// ``startObservation(of:scheduling:onError:onChange:)``.
  ///
  /// ```swift
  /// for try await count in try realm.values(of: count) { print(count ?? 0) }
  /// ```
  public func values<Value: Sendable>(
    of observation: ValueObservation<ValueReducers.Fetch<Value>>
  ) throws -> AsyncThrowingStream<Value, any Swift.Error> {
    let (stream, continuation) = AsyncThrowingStream<Value, any Swift.Error>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let cancellable = try startObservation(
      of: observation, scheduling: .async(onQueue: .global()),
      onError: { continuation.finish(throwing: $0) }, onChange: { continuation.yield($0) })
    continuation.onTermination = { _ in cancellable.cancel() }
    return stream
  }
}
