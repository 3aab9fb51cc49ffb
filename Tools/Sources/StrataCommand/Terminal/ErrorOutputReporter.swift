import IssueReporting
import StrataStudio
import Synchronization

/// The sentences that the library has for programmers, as plain text on the error output: a user
/// has no use for places in its source. Each is told once.
final class ErrorOutputReporter: IssueReporter {
  private let told = Mutex<Set<String>>([])

  /// How many sentences are remembered.
  private static let mostTold = 1_000

  func reportIssue(
    _ message: @autoclosure () -> String?, severity: IssueSeverity, fileID: StaticString,
    filePath: StaticString, line: UInt, column: UInt
  ) {
    guard let message = message() else { return }
    let isNew = told.withLock { told in
      told.count < Self.mostTold && told.insert(message).inserted
    }
    if isNew { Output.writeError("strata: \(PlainText.of(message))\n") }
  }
}
