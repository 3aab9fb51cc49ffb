import InMemoryLogging
import Logging

/// What a migration says that it did.
struct Lines {
  private let handler = InMemoryLogHandler()

  var logger: Logger {
    var logger = Logger(label: "test", factory: { [handler] _ in handler })
    logger.logLevel = .debug
    return logger
  }

  /// The steps, without their numbers.
  var steps: [String] {
    handler.entries.map { "\($0.message)" }.filter { $0.hasPrefix("Step ") }.map { line in
      line.split(separator: ":", maxSplits: 1).last.map { String($0.dropFirst()) } ?? line
    }
  }
}
