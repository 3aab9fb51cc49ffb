import IssueReporting

/// The call of a helper in a test: failures are reported there.
struct CallSite: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  func report(_ message: String) {
    reportIssue(message, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  func report(_ error: any Error, _ message: String) {
    reportIssue(error, message, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
