import GRDB
package import Strata
import StrataSchema

/// A reader of a file for the page: one committed state for each question, and nothing for longer
/// than the limit.
///
/// Questions are answered one after the other. A studio has two readers, so that a long question
/// keeps nobody from scrolling.
package actor FileReader {
  /// How long a statement may take.
  package static let longest = Duration.seconds(10)

  private let executor: QueueExecutor
  private var configuration: Realm.Configuration
  private var changed: ChangedValues
  private var opened: OpenedFile?
  /// The numbers that ``counts(version:)`` has found out.
  var known: KnownCounts?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameter changed: What the file has in another form than the one that it is a copy of.
  package init(
    _ configuration: Realm.Configuration, name: String, changed: ChangedValues = ChangedValues()
  ) {
    self.configuration = configuration
    self.changed = changed
    executor = QueueExecutor("strata.studio.\(name)")
  }

  /// Opens the file.
  ///
  /// - Throws: What opening a realm throws.
  package func open() async throws -> StudioSchema { try await use().schema }

  private func use() async throws -> OpenedFile {
    while true {
      if let opened { return opened }
      let asked = configuration
      let made = try await OpenedFile(asked, changed, isolation: self)
      // It may have turned to another file meanwhile.
      guard opened == nil, asked.fileURL == configuration.fileURL else { continue }
      opened = made
      return made
    }
  }

  /// Reads another file from now on.
  func turn(to configuration: Realm.Configuration, changed: ChangedValues) {
    self.configuration = configuration
    self.changed = changed
    close()
  }

  /// Lets go of the file.
  package func close() {
    opened = nil
    known = nil
  }

  /// Runs a closure with the connection. The end of the caller's task ends its statements.
  ///
  /// - Throws: ``RequestFailure`` with code `slow` after the limit, and what the closure throws.
  func read<Result: Sendable>(
    atMost limit: Duration = longest,
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
