import Foundation
package import GRDB
import StrataQuery
import StrataSchema

/// The explanation of a query: its SQL statement, the steps of SQLite's plan, and a summary.
package struct Explanation: Hashable, Sendable {
  package var sql: String
  package var steps: [String]
  /// A phrase without a full stop, such as `uses the index Person.city`.
  var summary: String
  /// Whether the query scans all objects of a large class.
  var isSlow: Bool

  /// The number of objects that can be scanned without a noticeable delay.
  private static let fewObjects = 50_000

  package init(_ question: Question, _ schema: StudioSchema, _ db: Database) throws {
    let query = try question.compiled(schema)
    let table = try schema.objectSchema(question.className)
    let identity = "t.\(SQLName.quote(table.identityColumn))"
    let statement = query.select(identity)
    sql = query.literal(statement)
    var steps: [String] = []
    // The columns are `id`, `parent`, `notused` and `detail`.
    try db.forEachRow("EXPLAIN QUERY PLAN \(statement)", query.parameters) { row in
      steps.append(row.text(3) ?? "")
    }
    self.steps = steps
    summary = Self.summary(steps)
    let readsAll = steps.first.map { Self.isScan($0) && !$0.contains("USING") } ?? false
    isSlow = try readsAll && Self.hasMany(SQLName.quote(table.className), db)
  }

  /// Whether a class is large. Uses an offset, since counting all objects takes as long as the
  /// scan.
  private static func hasMany(_ table: String, _ db: Database) throws -> Bool {
    try db.integer("SELECT 1 FROM \(table) LIMIT 1 OFFSET \(fewObjects)") != nil
  }

  private static func isScan(_ step: String) -> Bool {
    step == "SCAN t" || step.hasPrefix("SCAN t ")
  }

  static func summary(_ steps: [String]) -> String {
    let ofTable = steps.first { step in
      isScan(step) || step == "SEARCH t" || step.hasPrefix("SEARCH t ")
    }
    var parts: [String] = []
    if let step = ofTable {
      if let index = index(step) {
        parts.append("uses the index \(index)")
      } else if step.contains("INTEGER PRIMARY KEY") {
        parts.append("goes by identity")
      } else {
        parts.append("reads all objects")
      }
    }
    if steps.contains(where: { $0.hasPrefix("USE TEMP B-TREE FOR ORDER BY") }) {
      parts.append("sorts them")
    }
    return parts.joined(separator: " and ")
  }

  /// The index that a step uses.
  private static func index(_ step: String) -> String? {
    for words in ["USING COVERING INDEX ", "USING INDEX "] {
      guard let range = step.range(of: words) else { continue }
      let rest = step[range.upperBound...]
      // The compared columns follow in parentheses; a name may have spaces.
      return String(rest.range(of: " (").map { rest[..<$0.lowerBound] } ?? rest)
    }
    return nil
  }

  var json: JSONValue {
    [
      "sql": .text(sql), "steps": .texts(steps), "summary": .text(summary),
      "slow": .bool(isSlow),
    ]
  }
}
