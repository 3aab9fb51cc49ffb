/// The end of an activity, as a ``RealmActivityObserver`` hears of it.
public struct RealmActivityResult: Sendable {
  /// From its beginning to its end. Of a loop over objects only what the library and SQLite took.
  public var duration: Duration

  /// The part of a transaction's time in which it waited for other writers.
  public var waited: Duration

  /// Whether all was done: whether a transaction was committed, and whether a checkpoint has moved
  /// all of the WAL.
  public var isComplete: Bool

  /// The number of rows that a committed transaction inserted, changed and deleted.
  public var rowsWritten: Int?

  /// The number of rows that a query gave, where that is more than one value.
  public var rowsReturned: Int?

  /// The statement of a query.
  public var statement: RealmStatement?

  /// The reason why it failed. Its ``RealmError/loggedMessage`` has no values of objects.
  public var error: RealmError?

  /// Describes a result; for the tests of an observer.
  public init(
    duration: Duration, waited: Duration = .zero, isComplete: Bool = true,
    rowsWritten: Int? = nil, rowsReturned: Int? = nil, statement: RealmStatement? = nil,
    error: RealmError? = nil
  ) {
    self.duration = duration
    self.waited = waited
    self.isComplete = isComplete
    self.rowsWritten = rowsWritten
    self.rowsReturned = rowsReturned
    self.statement = statement
    self.error = error
  }
}

/// The statement of a query, as a ``RealmActivityObserver`` hears of it.
public struct RealmStatement: Sendable {
  /// The SQL, with `?` for the values of the query.
  public let sql: String

  private let explain: @Sendable (_ sql: String) -> [String]

  /// Describes a statement; for the tests of an observer.
  public init(sql: String, plan: @escaping @Sendable (_ sql: String) -> [String] = { _ in [] }) {
    self.sql = sql
    explain = plan
  }

  /// How SQLite finds the rows, a line for each step, as `EXPLAIN QUERY PLAN` says it: `SCAN t`
  /// where it looks at each row. Asked now, with a statement of its own; where SQLite can't tell,
  /// the line says why.
  public var plan: [String] { explain(sql) }
}
