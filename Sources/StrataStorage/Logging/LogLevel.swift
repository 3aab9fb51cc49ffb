public import Logging

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
