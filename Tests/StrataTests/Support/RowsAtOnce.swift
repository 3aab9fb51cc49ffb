import Testing

@testable import Strata
@testable import StrataStorage

/// Has loops of migrations write what they have set after fewer rows, so that tests with few rows
/// see what otherwise happens with many.
struct RowsAtOnce: TestTrait, SuiteTrait, TestScoping {
  let count: Int

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await RowBuffer.$rowsAtOnce.withValue(count, operation: function)
  }
}

extension Trait where Self == RowsAtOnce {
  static func rowsAtOnce(_ count: Int) -> RowsAtOnce { RowsAtOnce(count: count) }
}
