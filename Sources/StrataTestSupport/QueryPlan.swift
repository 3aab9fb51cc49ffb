import GRDB
public import Strata

/// The way in which SQLite finds what a query asks for: which tables it goes through, and by which
/// indexes.
///
/// ```swift
/// @Test func `People are found by their name`() throws {
///   let plan = try realm.objects(Person.self).where { $0.name == "Ada" }.explain()
///   #expect(plan.usesIndex("Person.name"))
///   #expect(plan.scannedTables.isEmpty)
/// }
/// ```
///
/// The texts are SQLite's, from `EXPLAIN QUERY PLAN`. They tell a search by an index from a scan of
/// all rows; their other words differ between versions of SQLite.
public struct QueryPlan: Sendable, Hashable {
  /// The steps in SQLite's words, indented by two spaces for each level.
  public let steps: [String]

  /// Whether an index is used, by its name in the file: `Person.name`.
  public func usesIndex(_ name: String) -> Bool {
    steps.contains { $0.contains("INDEX \(name) (") || $0.hasSuffix("INDEX \(name)") }
  }

  /// The tables, by the names that the statement gives them (`t` is the class of the results),
  /// whose rows are all gone through; those in the order of an index are among them.
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
  /// How SQLite finds the objects.
  ///
  /// Nothing is read but the plan. Values that are no objects, and objects that are in no realm,
  /// are found in memory: there is no step then.
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
