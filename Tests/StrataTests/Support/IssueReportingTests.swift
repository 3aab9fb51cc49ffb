import IssueReporting
import Testing

/// The library reports suspicious use with `reportIssue`, and other tests rely on that to fail.
///
/// Without `IssueReportingTestSupport` in the test bundle a report is printed and nothing fails.
@Suite struct IssueReportingTests {
  @Test func `A reported issue fails the test`() {
    withKnownIssue {
      reportIssue("an expected issue")
    } matching: { issue in
      issue.description.contains("an expected issue")
    }
  }
}
