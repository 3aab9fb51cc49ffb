import GRDB
public import Strata

/// SQLite's plan for a query: the tables that it reads, and the indexes that it uses.
///
/// ```swift
/// @Test func `People are found by their name`() throws {
///   let plan = try realm.objects(Person.self).where { $0.name == "Ada" }.explain()
///   #expect(plan.usesIndex("Person.name"))
///   #expect(plan.scannedTables.isEmpty)
/// }
/// ```
///
/// The texts come from SQLite's `EXPLAIN QUERY PLAN`. They distinguish a search with an index from
/// a scan of all rows; their other words differ between versions of SQLite.
public struct QueryPlan: Sendable, Hashable {
  /// The steps in SQLite's words, indented by two spaces for each level.
  public let steps: [String]

  /// Whether an index is used, by its name in the file: `Person.name`.
  public func usesIndex(_ name: String) -> Bool {
    steps.contains { $0.contains("INDEX \(name) (") || $0.hasSuffix("INDEX \(name)") }
  }

  /// The tables whose rows are all read, by their names in the statement (`t` is the class of the
  /// results). Scans in the order of an index are included.
  public var scannedTables: [String] {
    steps.compactMap { step in
      let words = step.split(separator: " ")
      return words.first == "SCAN" && words.count > 1 ? String(words[1]) : nil
    }
  }

  /// Whether rows are sorted after they were found, because no index has their order.
  public var sortsRows: Bool { steps.contains { $0.contains("USE TEMP B-TREE FOR ORDER BY") } }
}

extension QueryPlan: CustomStringConvertible {
  public var description: String { steps.joined(separator: "\n") }
}

extension Results {
  /// Returns SQLite's plan for finding the objects.
  ///
  /// Only the plan is read. Values that are no objects, and unmanaged objects, are found in memory:
  /// then there are no steps.
  ///
  /// - Throws: The error of SQLite, or of `withDatabase`.
  public func explain() throws -> QueryPlan {
    guard let sql, let realm else { return QueryPlan(steps: []) }
    return try realm.withDatabase { db in
      var levels: [Int: Int] = [:]
      let rows = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)")
      return QueryPlan(
        steps: rows.map { row in
          let level = levels[row["parent"], default: -1] + 1
          levels[row["id"]] = level
          return String(repeating: "  ", count: level) + (row["detail"] as String)
        })
    }
  }
}
