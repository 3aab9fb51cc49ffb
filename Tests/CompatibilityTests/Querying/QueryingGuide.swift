import Foundation
import Strata
import TestKit
import Testing

/// Makes the questions of docs/querying.md of the code of its test, and of what it finds.
final class QueryingGuide {
  let document: String
  private(set) var questions: [String] = []
  private let source: [Substring]

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    document = try String(
      contentsOf: root.appendingPathComponent("docs/querying.md"), encoding: .utf8)
    let file = "Tests/CompatibilityTests/Querying/QueryingGuideTests.swift"
    source = try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
      .split(separator: "\n")
  }

  func ask<Element: Object>(
    _ title: String, _ typed: Results<Element>, _ text: Results<Element>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let names = typed.map { $0["name"] as? String ?? "" }
    expectEqual(
      text.map { $0["name"] as? String ?? "" }, names, "\(title)", sourceLocation: sourceLocation)
    expectTrue(!names.isEmpty && names.count < 4 || title.contains("order"))
    questions.append(
      """
      ### \(questions.count + 1). \(title)

      ```swift
      \(code(of: title).joined(separator: "\n"))
      ```

      ```sql
      \(shortened(typed.sql ?? ""))
      ```

      Finds \(names.joined(separator: ", ")).

      """)
  }

  /// The two queries as they are written in the test.
  private func code(of title: String) -> [String] {
    guard let start = source.firstIndex(where: { $0.hasPrefix("      \"\(title)\",") }) else {
      return []
    }
    var lines: [String] = []
    for line in source[(start + 1)...] {
      let text = String(line.drop { $0 == " " })
      let indent = line.prefix { $0 == " " }.count
      if indent == 6 { lines.append(text) } else { lines[lines.count - 1] += " " + text }
      if text.hasSuffix("))") || text.hasSuffix("]))") { break }
    }
    return lines.enumerated().map { String($1.dropLast()) }
  }

  /// The statement without the names of the columns.
  private func shortened(_ sql: String) -> String {
    guard let end = sql.range(of: " FROM ") else { return sql }
    return ("SELECT …" + sql[end.lowerBound...]).replacing(
      " WHERE ", with: "\nWHERE ", maxReplacements: 1
    )
    .replacing(" ORDER BY", with: "\nORDER BY")
  }
}
