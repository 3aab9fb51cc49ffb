import IssueReporting
public import Logging
import Synchronization

/// The logger of the process, for realms whose configuration has none.
package enum SharedLogger {
  private static let state = Mutex<Logging.Logger?>(nil)

  package static var current: Logging.Logger {
    get { state.withLock { $0 } ?? silent }
    set {
      // Handlers are code of the program, so they are called and released outside of the lock.
      var other: Logging.Logger? = withLevel(newValue)
      state.withLock { swap(&$0, &other) }
    }
  }

  /// Writes nothing until its level is set.
  private static var silent: Logging.Logger {
    let output = Logging.Logger(label: label)
    return Logging.Logger(label: label) { _ in
      RealmLogHandler(firstLevel, .handler(output.handler))
    }
  }

  private static let firstLevel = RealmLogHandler.CommonLevel(.off)

  /// Returns a logger whose `level` can be set.
  private static func withLevel(_ logger: Logging.Logger) -> Logging.Logger {
    guard !(logger.handler is RealmLogHandler) else { return logger }
    return Logging.Logger(label: logger.label) { _ in
      RealmLogHandler(LogLevel(logger.logLevel), .handler(logger.handler))
    }
  }

  private static let label = "Strata"

  /// Passes events to the shared logger of the moment at which they occur.
  package static let forRealms = Logging.Logger(label: label) { _ in SharedLogHandler() }
}

/// The handler of a realm that was opened without a logger.
package struct SharedLogHandler: LogHandler {
  package var metadata: Logging.Logger.Metadata = [:]
  package var metadataProvider: Logging.Logger.MetadataProvider?

  /// The shared logger's level, so that suppressed messages aren't built. Can't be set.
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

/// The logger of swift-log, extended by the members of RealmSwift's `Logger`.
///
/// ```swift
/// Logger.shared.level = .debug
/// Logger.shared = Logger(level: .info) { level, message in print(level, message) }
/// ```
/// In a file that also imports swift-log, both names mean the same type. If another module has a
/// type of this name, such as Apple's `os`, write `Strata.Logger`.
public typealias Logger = Logging.Logger

extension Logging.Logger {
  /// The logger of all realms whose configuration has no `logger`, including open ones.
  ///
  /// Its initial level is `off`. With another level it writes to the output set by
  /// `LoggingSystem.bootstrap`, or else to the standard output. This property may be read and set
  /// on any thread.
  public static var shared: Logging.Logger {
    get { SharedLogger.current }
    set { SharedLogger.current = newValue }
  }

  /// Sets the level of ``shared``.
  public static func setLogLevel(_ level: LogLevel) { shared.level = level }

  /// Creates a logger that calls a closure.
  ///
  /// - Parameters:
  ///   - level: The amount of logging; can be changed with `level`.
  ///   - function: Receives the level of an event and its text, followed by the event's metadata.
  ///     Called on any thread.
  public init(
    level: LogLevel = .info, function: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    self.init(label: "Strata") { _ in RealmLogHandler(level, .closure(function)) }
  }

  /// The amount of logging. Copies of the logger share it, as in RealmSwift.
  ///
  /// The level can be set for ``shared``, and for a logger that `Logger(level:function:)` created.
  /// Setting it for another logger of swift-log, which has `logLevel`, is reported through
  /// `IssueReporting`.
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

/// The handler of a logger with a RealmSwift level. It may be off, and passes events to another
/// handler or to a closure.
struct RealmLogHandler: LogHandler {
  enum Output: Sendable {
    case handler(any LogHandler)
    case closure(@Sendable (LogLevel, String) -> Void)
  }

  /// A level that copies of a logger share.
  final class CommonLevel: Sendable {
    private let state: Mutex<LogLevel>

    init(_ level: LogLevel) { state = Mutex(level) }

    package var level: LogLevel {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }

  private(set) var common: CommonLevel
  private let output: Output
  var metadata: Logging.Logger.Metadata = [:]
  var metadataProvider: Logging.Logger.MetadataProvider?

  init(_ level: LogLevel, _ output: Output) {
    self.init(CommonLevel(level), output)
  }

  init(_ common: CommonLevel, _ output: Output) {
    self.common = common
    self.output = output
  }

  var level: LogLevel { common.level }

  /// Swift-log has no level for "off": the handler drops the events.
  var logLevel: Logging.Logger.Level {
    get { level.swiftLogLevel ?? .critical }
    // A separate level, as in swift-log: other loggers don't see the change.
    set { common = CommonLevel(LogLevel(newValue)) }
  }

  subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    guard LogLevel(event.level) <= level else { return }
    var event = event
    let known = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
    let all = known.merging(event.metadata ?? [:]) { $1 }
    switch output {
    case .handler(var handler):
      handler.logLevel = logLevel
      event.metadata = all.isEmpty ? nil : all
      handler.log(event: event)
    case .closure(let closure):
      let facts = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      let end = facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
      closure(LogLevel(event.level), "\(event.message)\(end)")
    }
  }
}

/// The amount of logging, with RealmSwift's names. Each level includes those before it.
public enum LogLevel: Int, Sendable, CaseIterable, Comparable {
  /// Logs nothing.
  case off
  /// Errors that end the process.
  case fatal
  /// Failures.
  case error
  /// Problems that are not failures yet.
  case warn
  /// Rare events, such as a migration.
  case info
  /// The same as `debug`.
  case detail
  /// Each operation of a migration, and details for debugging.
  case debug
  /// Everything.
  case trace
  /// Everything.
  case all

  public static func < (first: LogLevel, second: LogLevel) -> Bool {
    first.rawValue < second.rawValue
  }

  /// Creates the level of an event of swift-log.
  public init(_ level: Logging.Logger.Level) {
    self =
      switch level {
      case .trace: .trace
      case .debug: .debug
      case .info, .notice: .info
      case .warning: .warn
      case .error: .error
      case .critical: .fatal
      }
  }

  /// The lowest level of swift-log that is logged; nil for ``off``.
  public var swiftLogLevel: Logging.Logger.Level? {
    switch self {
    case .off: nil
    case .fatal: .critical
    case .error: .error
    case .warn: .warning
    case .info: .info
    case .detail, .debug: .debug
    case .trace, .all: .trace
    }
  }
}
