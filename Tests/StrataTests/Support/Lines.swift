import InMemoryLogging
import Logging

/// The log of a migration.
struct Lines {
  private let handler = InMemoryLogHandler()

  var logger: Logger {
    var logger = Logger(label: "test", factory: { [handler] _ in handler })
    logger.logLevel = .debug
    return logger
  }

  /// The operations, without their numbers.
  var operations: [String] {
    handler.entries.map { "\($0.message)" }.filter { $0.hasPrefix("Operation ") }.map { line in
      line.split(separator: ":", maxSplits: 1).last.map { String($0.dropFirst()) } ?? line
    }
  }
}
