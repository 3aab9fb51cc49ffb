import CustomDump

/// The difference between two texts, line by line; nil where there is none.
func lineDifference(_ expected: [String], _ actual: [String]) -> String? {
  diff(expected.joined(separator: "\n"), actual.joined(separator: "\n"))
}
