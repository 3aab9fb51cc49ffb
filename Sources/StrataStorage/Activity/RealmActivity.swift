/// A thing that the library does with a file, as a ``RealmActivityObserver`` hears of it.
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
    /// `Realm.refresh()`, and its like.
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

  /// Who writes, where the configuration or `write(author:)` says it.
  public var author: String?

  /// What this observer returned for the activity of which this one is a part: for the transaction
  /// of a query, for the opening of a migration. Or what it said of the caller, for an opening in
  /// the background.
  public var outer: (any Sendable)?

  /// Describes an activity; for the tests of an observer.
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

/// An observer of what the library does with a file: for metrics, traces and logs.
///
/// It is set in `Realm.Configuration.observers`. Those with which a file was opened first in the
/// process hear of all its realms, until the file is closed.
///
/// An observer is called on the thread that does the work, before and after it, from many threads
/// at once, and sometimes while others wait: it must return at once, and must not use realms. Each
/// method has a default that does nothing.
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
  /// The observer isn't told of queries that took less: 100 ms, unless it says otherwise. With
  /// `.zero` it hears of each query. Reading the properties of an object is never a query.
  var slowQueryThreshold: Duration { get }

  /// Is asked, in the task of a caller, for what activities are to have as
  /// ``RealmActivity/outer`` that the library begins for it on a queue of its own: the span of the
  /// caller, for example. It is asked when a file is opened.
  func callerContext() -> (any Sendable)?

  /// Hears that something begins.
  ///
  /// Not called for a query and for waiting to write, which are told when they are over.
  /// - Returns: What `didEnd` is to get, and the activities that are a part of this one
  ///   as ``RealmActivity/outer``: a span, for example.
  func willBegin(_ activity: RealmActivity) -> (any Sendable)?

  /// Hears that something is over: that it was done, that it failed, or that it was given up.
  ///
  /// - Parameters:
  ///   - activity: What was done.
  ///   - result: How it went.
  ///   - begun: What `willBegin` returned.
  func didEnd(_ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?)

  /// Hears once a second how a file is, while it is open. Called on a queue of the library.
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

/// The observers of a file. Where there are none, there is no such object, and nothing is measured.
package final class ActivityObservers: Sendable {
  package let file: String
  private let observers: [any RealmActivityObserver]
  /// The time of the shortest query that any of them hears of.
  private let shortestQuery: Duration

  package init?(_ observers: [any RealmActivityObserver], file: @autoclosure () -> String) {
    guard let shortest = observers.map(\.slowQueryThreshold).min() else { return nil }
    self.observers = observers
    self.file = file()
    shortestQuery = shortest
  }

  /// Tells that something begins.
  ///
  /// - Parameters:
  ///   - outer: What it is a part of.
  ///   - caller: What each observer said of the caller, where it is a part of nothing.
  package func begin(
    _ kind: RealmActivity.Kind, within outer: RunningActivity? = nil,
    for caller: [(any Sendable)?] = []
  ) -> RunningActivity {
    let activities = activities(RealmActivity(kind, file: file), within: outer?.begun ?? caller)
    return RunningActivity(
      of: self, activities, zip(observers, activities).map { $0.willBegin($1) })
  }

  /// Tells observers of an activity that has ended, and whose beginning they did not hear.
  func note(
    _ activity: RealmActivity, _ result: RealmActivityResult, within outer: RunningActivity?
  ) {
    for (observer, activity) in zip(observers, activities(activity, within: outer?.begun ?? [])) {
      observer.didEnd(activity, result, nil)
    }
  }

  /// Tells those of a query for whom it was slow.
  package func noteQuery(
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

  /// The activity for each observer, with what is its own of the outer one.
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

/// The state of an open file, as a ``RealmActivityObserver`` hears of it each second.
public struct RealmFileStatus: Sendable {
  /// The last part of the file's path; for a realm in memory its identifier.
  public var file: String

  /// The versions that are kept in this process: see `Realm.activeVersions`.
  public var versionsKept = 0
  /// How long the oldest of them has been kept.
  public var oldestVersionAge = Duration.zero

  /// Of the file without its WAL.
  public var fileBytes: Int64 = 0
  /// Of the WAL.
  public var walBytes: Int64 = 0

  /// The threads and tasks of this process that wait to write.
  public var writersWaiting = 0

  /// How far a replica is behind the file that it is a copy of; nil where that isn't known.
  public var replicaLag: Duration?
  /// Whether a replica can't show its newest version; nil for other files.
  public var hasReplicaProblem: Bool?

  /// The number of transactions that each consumer of the history hasn't taken yet, by its name.
  public var behind: [String: Int] = [:]

  /// Describes a file; for the tests of an observer.
  public init(file: String) { self.file = file }
}
