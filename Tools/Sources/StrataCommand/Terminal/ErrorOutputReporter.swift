import IssueReporting
import StrataStudio
import Synchronization

/// A reporter that prints the library's warnings to the error output, each text once. It omits the
/// source location, which doesn't help users.
final class ErrorOutputReporter: IssueReporter {
  private let told = Mutex<Set<String>>([])

  /// The number of texts that are remembered.
  private static let maxReported = 1_000

  func reportIssue(
    _ message: @autoclosure () -> String?, severity: IssueSeverity, fileID: StaticString,
    filePath: StaticString, line: UInt, column: UInt
  ) {
    guard let message = message() else { return }
    let isNew = told.withLock { told in
      told.count < Self.maxReported && told.insert(message).inserted
    }
    if isNew { Output.writeError("strata: \(PlainText.of(message))\n") }
  }
}
