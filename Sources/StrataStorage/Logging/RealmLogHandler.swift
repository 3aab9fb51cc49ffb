public import Logging
import Synchronization

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
