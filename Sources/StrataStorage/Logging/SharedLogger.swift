package import Logging
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
