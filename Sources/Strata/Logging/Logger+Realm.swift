public import Logging

/// The logger of swift-log, which has the members of RealmSwift's `Logger` as well.
///
/// ```swift
/// Logger.shared.level = .debug
/// Logger.shared = Logger(level: .info) { level, message in print(level, message) }
/// ```
/// A file that imports swift-log as well finds one type of this name, the same. Where another module has
/// a type of this name, such as Apple's `os`, write `Strata.Logger`.
public typealias Logger = Logging.Logger

extension Logging.Logger {
  /// The logger of all realms whose configuration has no `logger`, those that are open among them.
  ///
  /// At the beginning its level is `off`. With another level it writes to where swift-log was told to
  /// write by `LoggingSystem.bootstrap`, or else to the standard output. It may be read and set on any
  /// thread.
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
  ///   - function: Gets the level of an event and its text, behind which are the facts of its metadata.
  ///     Called on any thread.
  public init(
    level: LogLevel = .info, function: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    self.init(label: "Strata") { _ in RealmLogHandler(level, .closure(function)) }
  }

  /// How much is logged.
  ///
  /// A handler of swift-log's that isn't of this library has no level for nothing: `off` leaves it at
  /// `critical`.
  public var level: LogLevel {
    get { (handler as? RealmLogHandler)?.level ?? LogLevel(logLevel) }
    set {
      if let own = handler as? RealmLogHandler {
        handler = own.setting(newValue)
      } else {
        logLevel = newValue.swiftLogLevel ?? .critical
      }
    }
  }
}
