public import Logging

/// The amount of logging, in RealmSwift's words: each level includes those before it.
public enum LogLevel: Int, Sendable, CaseIterable, Comparable {
  /// Nothing.
  case off
  /// What ends the process.
  case fatal
  /// What failed.
  case error
  /// What is not a failure yet.
  case warn
  /// What happens seldom, such as a migration.
  case info
  /// The same as `debug`.
  case detail
  /// Each operation of a migration, and what helps to find mistakes.
  case debug
  /// Everything.
  case trace
  /// Everything.
  case all

  public static func < (first: LogLevel, second: LogLevel) -> Bool {
    first.rawValue < second.rawValue
  }

  /// The level of an event of swift-log.
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

  /// The level of swift-log from which on events are logged; nil for ``off``.
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
