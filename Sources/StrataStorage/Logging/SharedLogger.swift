import IssueReporting
public import Logging
import Synchronization

/// The logger of the process for realms whose configuration has none.
package enum SharedLogger {
  private static let state = Mutex<Logging.Logger?>(nil)

  package static var current: Logging.Logger {
    get { state.withLock { $0 } ?? silent }
    set {
      // Handlers are code of the program: they are asked, and released, outside of the lock.
      var other: Logging.Logger? = withLevel(newValue)
      state.withLock { swap(&$0, &other) }
    }
  }

  /// Writes nothing until it gets a level.
  private static var silent: Logging.Logger {
    let output = Logging.Logger(label: label)
    return Logging.Logger(label: label) { _ in
      RealmLogHandler(firstLevel, .handler(output.handler))
    }
  }

  private static let firstLevel = RealmLogHandler.CommonLevel(.off)

  /// A logger of which `level` can be set.
  private static func withLevel(_ logger: Logging.Logger) -> Logging.Logger {
    guard !(logger.handler is RealmLogHandler) else { return logger }
    return Logging.Logger(label: logger.label) { _ in
      RealmLogHandler(LogLevel(logger.logLevel), .handler(logger.handler))
    }
  }

  private static let label = "Strata"

  /// Hands events to what the shared logger is when they happen.
  package static let forRealms = Logging.Logger(label: label) { _ in SharedLogHandler() }
}

/// The handler of a realm that was opened without a logger.
package struct SharedLogHandler: LogHandler {
  package var metadata: Logging.Logger.Metadata = [:]
  package var metadataProvider: Logging.Logger.MetadataProvider?

  /// That of the shared logger, so that texts which it doesn't want aren't made. Can't be set.
  package var logLevel: Logging.Logger.Level {
    get { SharedLogger.current.logLevel }
    set {}
  }

  package subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) { SharedLogger.current.handler.log(event: event) }
}

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
