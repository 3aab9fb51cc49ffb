package import Testing

// Functions instead of the macro `#expect`, which takes the compiler 35 to 55 ms each time. Where
// an error is expected, or the end of a process, the macro stays.

/// Records an issue, with both values, where they aren't equal.
package func expectEqual<Value: Equatable>(
  _ first: Value, _ second: Value, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  guard first != second else { return }
  record(
    "\(String(reflecting: first)) isn't equal to \(String(reflecting: second))", comment(),
    sourceLocation ?? SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  )
}

/// Records an issue where a condition is false.
package func expectTrue(
  _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  guard !condition else { return }
  record(
    "The condition is false", comment(),
    sourceLocation ?? SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  )
}

/// Records an issue where a condition is true.
package func expectFalse(
  _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  guard condition else { return }
  record(
    "The condition is true", comment(),
    sourceLocation ?? SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  )
}

/// Records an issue, with the value, where there is one.
package func expectNil<Value>(
  _ value: Value?, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  guard let value else { return }
  record(
    "\(String(reflecting: value)) isn't nil", comment(),
    sourceLocation ?? SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  )
}

private func record(_ text: String, _ comment: Comment?, _ sourceLocation: SourceLocation) {
  let comment = comment.map { "\(text): \($0.rawValue)" } ?? text
  Issue.record(Comment(rawValue: comment), sourceLocation: sourceLocation)
}

/// Records an issue where a body reports no issue with a text.
package func expectIssue(
  _ text: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) rethrows {
  try withKnownIssue(
    nil, isIntermittent: false, sourceLocation: sourceLocation, body,
    matching: { $0.description.contains(text) })
}
