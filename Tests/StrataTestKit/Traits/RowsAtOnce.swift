import StrataStorage
package import Testing

/// Has loops of migrations write what they have set after fewer rows, so that tests with few rows
/// see what otherwise happens with many.
package struct RowsAtOnce: TestTrait, SuiteTrait, TestScoping {
  package let count: Int

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await RowBuffer.$rowsAtOnce.withValue(count, operation: function)
  }
}

extension Trait where Self == RowsAtOnce {
  package static func rowsAtOnce(_ count: Int) -> RowsAtOnce { RowsAtOnce(count: count) }
}
