import Logging

/// What a migration did, for the log.
struct MigrationReport: Sendable {
  /// The version the file was at; nil for a new file.
  var from: UInt64?
  var to: UInt64
  /// What was done, in order, one sentence each.
  var steps: [String] = []
  /// How many rows were shown to the block, copied or filled.
  var rows = 0
  /// Properties whose type changed, and how many values they had, which are gone unless the block
  /// carried them over.
  var restarted: [(property: String, values: Int)] = []
  var duration: Duration = .zero

  /// One line at the given level, and each step at debug. No values of rows.
  ///
  /// Creating a file is no migration: its line is at debug as well.
  func log(to logger: Logger?, at level: Logger.Level, path: String) {
    guard let logger else { return }
    let metadata: Logger.Metadata = [
      "strata.path": "\(path)", "strata.version": "\(to)", "strata.steps": "\(steps.count)",
      "strata.rows": "\(rows)", "strata.duration": "\(duration)",
    ]
    let versions = from.map { "from schema version \($0) to \(to)" } ?? "at schema version \(to)"
    var line = "\(from == nil ? "Created" : "Migrated") '\(path)' \(versions): "
    line += "\(steps.count) steps, \(rows) rows, \(milliseconds) ms"
    for (property, values) in restarted {
      line += "; \(values) values of '\(property)' started anew"
    }
    logger.log(level: from == nil ? .debug : level, "\(line)", metadata: metadata)
    for (index, step) in steps.enumerated() { logger.debug("Step \(index + 1): \(step)") }
  }

  private var milliseconds: Int64 {
    duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
  }
}
