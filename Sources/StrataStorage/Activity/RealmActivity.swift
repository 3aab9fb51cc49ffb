public import Logging

/// An operation of the library on a file, as passed to a ``RealmActivityObserver``.
public struct RealmActivity: Sendable {
  /// The kinds of activities.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The opening of a file that isn't open in the process yet.
    case open
    /// Bringing a file to another schema, as a part of opening it.
    case migrate
    /// A write transaction, from asking for it to its commit or rollback.
    case write
    /// The part of a transaction in which it waits for other writers.
    case waitForWriter
    /// The statement of a query.
    case query
    /// `Realm.refresh()` and similar calls.
    case refresh
    /// Moving the WAL into the file.
    case checkpoint
    /// Copying a file to its backups.
    case backup
  }

  public var kind: Kind

  /// The last part of the file's path; for a realm in memory its identifier.
  public var file: String

  /// The class whose table a query reads first.
  public var className: String?

  /// The author of a write, from the configuration or from `write(author:)`.
  public var author: String?

  /// The value that this observer returned for the enclosing activity: for the transaction of a
  /// query, or for the opening of a migration. For an opening in the background, the value of
  /// ``RealmActivityObserver/callerContext()``.
  public var outer: (any Sendable)?

  /// Creates an activity, for testing an observer.
  public init(
    _ kind: Kind, file: String, className: String? = nil, author: String? = nil,
    outer: (any Sendable)? = nil
  ) {
    self.kind = kind
    self.file = file
    self.className = className
    self.author = author
    self.outer = outer
  }
}

/// An observer of the library's operations on a file: for metrics, traces and logs.
///
/// Set observers in `Realm.Configuration.observers`. The observers of the first opening of a file
/// in the process receive the activities of all its realms, until the file is closed.
///
/// An observer is called on the thread that does the work, before and after it. The calls come from
/// many threads at once, and sometimes while other threads wait, so an observer must return at once
/// and must not use realms. Each method has a default that does nothing.
///
/// ```swift
/// struct SlowWrites: RealmActivityObserver {
///   func didEnd(
///     _ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?
///   ) {
///     guard activity.kind == .write, result.duration > .seconds(1) else { return }
///     print("\(activity.file) is slow")
///   }
/// }
/// configuration.observers = [SlowWrites()]
/// ```
public protocol RealmActivityObserver: Sendable {
  /// The shortest duration of a query of which the observer is notified. The default is 100 ms;
  /// `.zero` reports each query. Reading the properties of an object is never a query.
  var slowQueryThreshold: Duration { get }

  /// Returns the ``RealmActivity/outer`` value for activities that the library runs for the caller
  /// on a queue of its own, for example the caller's span.
  ///
  /// Called in the task of the caller, when a file is opened.
  func callerContext() -> (any Sendable)?

  /// Called when an activity begins.
  ///
  /// Not called for queries and for waiting to write, which are reported when they have ended.
  /// - Returns: A value, for example a span, that is passed to `didEnd`, and to the activities
  ///   inside this one as ``RealmActivity/outer``.
  func willBegin(_ activity: RealmActivity) -> (any Sendable)?

  /// Called when an activity has ended: when it succeeded, failed or was abandoned.
  ///
  /// - Parameters:
  ///   - activity: The activity.
  ///   - result: Its result.
  ///   - begun: The value that `willBegin` returned.
  func didEnd(_ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?)

  /// Called once a second with the state of a file, while the file is open, on a queue of the
  /// library.
  func sample(_ status: RealmFileStatus)
}

extension RealmActivityObserver {
  public var slowQueryThreshold: Duration { .milliseconds(100) }

  public func callerContext() -> (any Sendable)? { nil }

  public func willBegin(_ activity: RealmActivity) -> (any Sendable)? { nil }

  public func didEnd(
    _ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?
  ) {}

  public func sample(_ status: RealmFileStatus) {}
}

/// The end of an activity, as passed to a ``RealmActivityObserver``.
public struct RealmActivityResult: Sendable {
  /// The time from the beginning to the end. For a loop over objects, only the time spent in the
  /// library and SQLite.
  public var duration: Duration

  /// The part of a transaction's time in which it waited for other writers.
  public var waited: Duration

  /// Whether the activity was completed: the transaction was committed, or the checkpoint moved all
  /// of the WAL.
  public var isComplete: Bool

  /// The number of rows that a committed transaction inserted, changed and deleted.
  public var rowsWritten: Int?

  /// The number of rows that a query returned, where it returns more than one value.
  public var rowsReturned: Int?

  /// The statement of a query.
  public var statement: RealmStatement?

  /// The reason of the failure. Its ``RealmError/loggedMessage`` contains no values of objects.
  public var error: RealmError?

  /// Creates a result, for testing an observer.
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

/// The statement of a query, as passed to a ``RealmActivityObserver``.
public struct RealmStatement: Sendable {
  /// The SQL, with `?` for the values of the query.
  public let sql: String

  private let explain: @Sendable (_ sql: String) -> [String]

  /// Creates a statement, for testing an observer.
  public init(sql: String, plan: @escaping @Sendable (_ sql: String) -> [String] = { _ in [] }) {
    self.sql = sql
    explain = plan
  }

  /// SQLite's plan for finding the rows, a line for each step, from `EXPLAIN QUERY PLAN`; a full
  /// table scan is `SCAN t`. Each access runs a statement of its own. If that fails, the line gives
  /// the reason.
  public var plan: [String] { explain(sql) }
}

/// The observers of a file. A file without observers has no such object, and nothing is measured.
package final class ActivityObservers: Sendable {
  package let file: String
  private let observers: [any RealmActivityObserver]
  /// The lowest threshold of all observers.
  private let shortestQuery: Duration

  package init?(_ observers: [any RealmActivityObserver], file: @autoclosure () -> String) {
    guard let shortest = observers.map(\.slowQueryThreshold).min() else { return nil }
    self.observers = observers
    self.file = file()
    shortestQuery = shortest
  }

  /// Notifies the observers that an activity begins.
  ///
  /// - Parameter caller: The caller's contexts, one for each observer, if there is no enclosing
  ///   activity.
  package func begin(
    _ kind: RealmActivity.Kind, within outer: RunningActivity? = nil,
    for caller: [(any Sendable)?] = []
  ) -> RunningActivity {
    let activities = activities(RealmActivity(kind, file: file), within: outer?.begun ?? caller)
    return RunningActivity(
      of: self, activities, zip(observers, activities).map { $0.willBegin($1) })
  }

  /// Notifies the observers of an activity that has ended without a call of `willBegin`.
  func record(
    _ activity: RealmActivity, _ result: RealmActivityResult, within outer: RunningActivity?
  ) {
    for (observer, activity) in zip(observers, activities(activity, within: outer?.begun ?? [])) {
      observer.didEnd(activity, result, nil)
    }
  }

  /// Notifies the observers whose threshold the query has reached.
  package func recordQuery(
    _ statement: RealmStatement, took duration: Duration, rows: Int? = nil,
    error: RealmError? = nil, within outer: RunningActivity?
  ) {
    guard duration >= shortestQuery else { return }
    let activity = RealmActivity(
      .query, file: file, className: ReadTable.name(in: statement.sql))
    let result = RealmActivityResult(
      duration: duration, isComplete: error == nil, rowsReturned: rows, statement: statement,
      error: error)
    for (observer, activity) in zip(observers, activities(activity, within: outer?.begun ?? []))
    where duration >= observer.slowQueryThreshold {
      observer.didEnd(activity, result, nil)
    }
  }

  func end(
    _ activities: [RealmActivity], _ result: RealmActivityResult, _ begun: [(any Sendable)?]
  ) {
    for (index, observer) in observers.enumerated() {
      observer.didEnd(activities[index], result, begun[index])
    }
  }

  package func sample(_ status: RealmFileStatus) {
    for observer in observers { observer.sample(status) }
  }

  /// Returns the activity for each observer, with that observer's value of the outer activity.
  private func activities(
    _ activity: RealmActivity, within outer: [(any Sendable)?]
  ) -> [RealmActivity] {
    observers.indices.map { index in
      var activity = activity
      activity.outer = index < outer.count ? outer[index] : nil
      return activity
    }
  }
}

/// The state of an open file, as passed to a ``RealmActivityObserver`` each second.
public struct RealmFileStatus: Sendable {
  /// The last part of the file's path; for a realm in memory its identifier.
  public var file: String

  /// The number of versions that are kept in this process: see `Realm.activeVersions`.
  public var versionsKept = 0
  /// The time for which the oldest of them has been kept.
  public var oldestVersionAge = Duration.zero

  /// The size of the file without its WAL.
  public var fileBytes: Int64 = 0
  /// The size of the WAL.
  public var walBytes: Int64 = 0

  /// The number of threads and tasks of this process that wait to write.
  public var writersWaiting = 0

  /// The lag of a replica behind its original file; nil if unknown.
  public var replicaLag: Duration?
  /// Whether a replica can't show its newest version; nil for other files.
  public var hasReplicaProblem: Bool?

  /// The number of transactions that each consumer of the history hasn't processed yet, by the
  /// consumer's name.
  public var behind: [String: Int] = [:]

  /// Creates a status, for testing an observer.
  public init(file: String) { self.file = file }
}

/// A log of slow queries, with SQLite's plan for each of them.
///
/// ```swift
/// configuration.observers = [.slowQueries(longerThan: .milliseconds(50))]
/// // warning: A query took 231 ms. class=Order, file=orders.sqlite, plan=SCAN t, sql=SELECT …
/// ```
/// Values of objects are never logged: the statement has `?` in their place.
public struct SlowQueryLog: RealmActivityObserver {
  public let slowQueryThreshold: Duration
  private let level: Logger.Level
  private let logger: Logger?

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - threshold: The shortest duration of a query that is logged.
  ///   - level: The level of the lines.
  ///   - logger: The logger; nil for `Logger.shared`.
  public init(
    longerThan threshold: Duration = .milliseconds(100), level: Logger.Level = .warning,
    logger: Logger? = nil
  ) {
    slowQueryThreshold = threshold
    self.level = level
    self.logger = logger
  }

  public func didEnd(
    _ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?
  ) {
    guard activity.kind == .query, let statement = result.statement else { return }
    let logger = logger ?? SharedLogger.forRealms
    guard logger.logLevel <= level else { return }
    var metadata: Logger.Metadata = [
      "file": "\(activity.file)", "sql": "\(statement.sql)",
      "plan": "\(statement.plan.joined(separator: "; "))",
    ]
    metadata["class"] = activity.className.map { "\($0)" }
    metadata["rows"] = result.rowsReturned.map { "\($0)" }
    logger.log(
      level: level, "A query took \(result.duration.milliseconds) ms.", metadata: metadata)
  }
}

extension RealmActivityObserver where Self == SlowQueryLog {
  /// A log of the queries that take longer than a threshold, as warnings of `Logger.shared`.
  public static func slowQueries(
    longerThan threshold: Duration = .milliseconds(100)
  ) -> SlowQueryLog {
    SlowQueryLog(longerThan: threshold)
  }
}
