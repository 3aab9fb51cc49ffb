public import Logging

/// A log of queries that take long, with the way in which SQLite finds their rows.
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

  /// Describes a log.
  ///
  /// - Parameters:
  ///   - threshold: The time from which a query is logged.
  ///   - level: The level of the lines.
  ///   - logger: Where they are logged; nil for `Logger.shared`.
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
  /// A log of the queries that take longer than a time, as warnings of `Logger.shared`.
  public static func slowQueries(
    longerThan threshold: Duration = .milliseconds(100)
  ) -> SlowQueryLog {
    SlowQueryLog(longerThan: threshold)
  }
}
