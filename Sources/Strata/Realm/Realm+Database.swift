public import Dispatch
public import GRDB

extension Realm {
  /// Gives the connection of GRDB to a closure, for tasks that are best done in SQL.
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
  /// Outside of a write transaction the closure reads one committed state of the file, and can't
  /// write. Inside of one it is part of the transaction: it sees the transaction's changes so
  /// far, and its own are committed or rolled back with the rest. Objects, results and collections
  /// show them.
  ///
  /// Rules:
  /// - The closure doesn't begin, commit or roll back transactions, and gives neither the
  ///   connection nor rows that it reads lazily away.
  /// - Tables, indexes, triggers and views of your own are welcome. Tables of model classes are
  ///   changed by migrations only; their rows may be written, as `docs/file-format.md` describes
  ///   them.
  /// - Foreign keys are checked when the transaction is committed.
  /// - Throws: The error of the closure.
  public func withDatabase<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try session.withDatabase(body)
  }

  /// Starts an observation of GRDB: the closure gets a value now, and after each transaction of
  /// this process that may have changed it.
  ///
  /// ```swift
  /// let count = ValueObservation.tracking {
  ///   try Int.fetchOne($0, sql: "SELECT count(*) FROM Person")
  /// }
  /// let cancellable = try realm.startObservation(of: count, onError: { print($0) }) {
  ///   print($0 ?? 0)
  /// }
  /// ```
  /// It ends when the result is released or cancelled; the file stays open until then. Changes
  /// by other processes are not noticed.
  /// - Parameters:
  ///   - observation: What is fetched.
  ///   - scheduler: Where the closures are called: by default, on the main queue.
  ///   - onError: Called when a value can't be fetched.
  ///   - onChange: Called with each value.
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

  /// The values of an observation of GRDB, as a sequence: see
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
