import IssueReporting
import Testing

/// The reports of suspicious use through `reportIssue`. Other tests rely on them to fail.
///
/// Without `IssueReportingTestSupport` in the test bundle, a report is only printed, and no test
/// fails.
@Suite struct IssueReportingTests {
  @Test func `A reported issue fails the test`() {
    withKnownIssue {
      reportIssue("an expected issue")
    } matching: { issue in
      issue.description.contains("an expected issue")
    }
  }
}
