import Testing

/// Runs a closure that must fail the test, and gives what it says.
func issues(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async throws -> [Failure] {
  let failures = Failures()
  try await withKnownIssue(sourceLocation: sourceLocation) {
    try await body()
  } matching: { issue in
    failures.add(
      Failure(
        text: issue.comments.map(\.rawValue).joined(separator: "\n"),
        line: issue.sourceLocation?.line ?? 0, file: issue.sourceLocation?.fileName ?? ""))
    return true
  }
  return failures.all
}

struct Failure {
  var text: String
  var line: Int
  var file: String
}

private final class Failures: @unchecked Sendable {
  private(set) var all: [Failure] = []

  func add(_ failure: Failure) { all.append(failure) }
}
