import IssueReporting
public import Logging

/// The logger of swift-log, which has the members of RealmSwift's `Logger` as well.
///
/// ```swift
/// Logger.shared.level = .debug
/// Logger.shared = Logger(level: .info) { level, message in print(level, message) }
/// ```
/// A file that imports swift-log as well finds one type of this name, the same. Where another
/// module has a type of this name, such as Apple's `os`, write `Strata.Logger`.
public typealias Logger = Logging.Logger

extension Logging.Logger {
  /// The logger of all realms whose configuration has no `logger`, those that are open among them.
  ///
  /// At the beginning its level is `off`. With another level it writes to where swift-log was told
  /// to write by `LoggingSystem.bootstrap`, or else to the standard output. It may be read and set
  /// on any thread.
  public static var shared: Logging.Logger {
    get { SharedLogger.current }
    set { SharedLogger.current = newValue }
  }

  /// Sets the level of ``shared``.
  public static func setLogLevel(_ level: LogLevel) { shared.level = level }

  /// Makes a logger that calls a closure.
  ///
  /// - Parameters:
  ///   - level: How much is logged; `level` changes it.
  ///   - function: Gets the level of an event and its text, behind which are the facts of its
  ///     metadata. Called on any thread.
  public init(
    level: LogLevel = .info, function: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    self.init(label: "Strata") { _ in RealmLogHandler(level, .closure(function)) }
  }

  /// How much is logged. Copies of the logger have it in common, as in RealmSwift.
  ///
  /// It can be set for ``shared``, and for a logger that `Logger(level:function:)` made. Setting it
  /// for another one of swift-log's, which has `logLevel`, is reported through `IssueReporting`.
  public var level: LogLevel {
    get { (handler as? RealmLogHandler)?.level ?? LogLevel(logLevel) }
    nonmutating set {
      guard let own = handler as? RealmLogHandler else {
        reportIssue(
          "The level of the logger '\(label)' can't be set by 'level'. Set its 'logLevel', or make it with "
            + "'Logger(level:function:)'.")
        return
      }
      own.common.level = newValue
    }
  }
}
