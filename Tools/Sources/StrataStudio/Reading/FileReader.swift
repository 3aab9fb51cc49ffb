import GRDB
package import Strata
import StrataSchema

/// A reader of a file for the page: each request reads one committed state, within a time limit.
///
/// Requests are served one at a time. A studio has two readers, so that a slow request doesn't
/// block scrolling.
package actor FileReader {
  /// The time limit of a request.
  package static let maxTime = Duration.seconds(10)

  private let executor: QueueExecutor
  private var configuration: Realm.Configuration
  private var changed: ChangedValues
  private var opened: OpenedFile?
  /// The numbers of objects that ``counts(version:)`` has cached, at one version of the file.
  var known: (version: Int, counts: [String: Int])?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameter changed: The values that differ from the original, if the file is a copy.
  package init(
    _ configuration: Realm.Configuration, name: String, changed: ChangedValues = ChangedValues()
  ) {
    self.configuration = configuration
    self.changed = changed
    executor = QueueExecutor("strata.studio.\(name)")
  }

  /// Opens the file.
  package func open() async throws -> StudioSchema { try await use().schema }

  private func use() async throws -> OpenedFile {
    while true {
      if let opened { return opened }
      let asked = configuration
      let made = try await OpenedFile(asked, changed, isolation: self)
      // The reader may have switched to another file during the await.
      guard opened == nil, asked.fileURL == configuration.fileURL else { continue }
      opened = made
      return made
    }
  }

  /// Switches to another file.
  func turn(to configuration: Realm.Configuration, changed: ChangedValues) {
    self.configuration = configuration
    self.changed = changed
    close()
  }

  /// Closes the file.
  package func close() {
    opened = nil
    known = nil
  }

  /// Runs a closure with the connection. Cancelling the caller's task interrupts its statements.
  ///
  /// - Throws: ``RequestFailure`` with code `slow` after the time limit, and the errors of the
  ///   closure.
  func read<Result: Sendable>(
    atMost limit: Duration = maxTime,
    _ body: @Sendable (Database, StudioSchema) throws -> Result
  ) async throws -> Result {
    let time = TimeLimit(limit)
    return try await withTaskCancellationHandler {
      let opened = try await use()
      try Task.checkCancellation()
      return try opened.realm.withDatabase { db in
        try time.run(db) { try body(db, opened.schema) }
      }
    } onCancel: {
      time.cancel()
    }
  }
}
