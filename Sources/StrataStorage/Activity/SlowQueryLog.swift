public import Logging

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
