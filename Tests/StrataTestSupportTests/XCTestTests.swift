import Foundation
import IssueReporting
import Strata
import StrataTestSupport
import XCTest

/// The helpers work in XCTest as well, and fail there.
final class XCTestTests: XCTestCase {
  func testMigrationsAreVerified() async throws {
    let folder = try FixtureFolder()
    try folder.freezeV1()
    try await folder.fixtures.verifyMigrations(
      to: configuration([.version(V1.self), .joinNames]))
  }

  /// Whether a helper fails shows in what it reports: on Linux XCTest can't expect failures.
  func testHelpersFail() throws {
    let reporter = CollectingReporter()
    try withIssueReporters([reporter]) {
      let folder = try FixtureFolder()
      try folder.fixtures.expectFrozen(configuration([.version(V2.self)]))
      XCTAssertEqual(reporter.messages, [])
      try folder.fixtures.expectFrozen(configuration([.version(ChangedV2.self)]))
      expectRows(of: "Dog", at: folder.fixtures.database(2), "_id | name\n1 | 'Rex'")
    }
    XCTAssertEqual(reporter.messages.count, 2)
    XCTAssert(reporter.messages.first?.hasPrefix("The model classes changed") == true)
    XCTAssert(reporter.messages.last?.hasPrefix("The objects of 'Dog'") == true)
  }
}

private final class CollectingReporter: IssueReporter, @unchecked Sendable {
  private(set) var messages: [String] = []

  func reportIssue(
    _ message: @autoclosure () -> String?, severity: IssueSeverity, fileID: StaticString,
    filePath: StaticString, line: UInt, column: UInt
  ) {
    messages.append(message() ?? "")
  }
}
