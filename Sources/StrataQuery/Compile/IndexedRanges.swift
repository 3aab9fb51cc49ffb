import StrataSchema

/// The ranges of indexed properties in a query, if nothing else helps to find its rows.
///
/// SQLite doesn't know the number of rows in a range. It uses the index even for half of all rows,
/// which takes eleven times as long as a table scan.
package struct IndexedRanges: Sendable, Hashable {
  /// The range of one property.
  package struct Range: Sendable, Hashable {
    /// The quoted column.
    package let column: String
    /// The SQL condition on the table `t`, with the parameters of the query.
    package let condition: String
  }

  /// The requested order of the rows.
  package enum Order: Sendable {
    /// By identity.
    case identities
    /// By values for which no index has the order.
    case values
    /// Possibly the order of an index.
    case index
  }

  /// One of several conditions that must all be true.
  struct Conjunct {
    var predicate: ResolvedPredicate
    var isNegated: Bool
    var sql: String
  }

  /// One range for each property.
  package let ranges: [Range]
  package let order: Order
  /// The quoted columns that the conditions read.
  let columns: Set<String>
  /// The columns of the class's indexes.
  let indexes: [[String]]
  /// The quoted table; its identity is quoted as well.
  let table: String
  let identity: String
  let widthSQL: String

  /// Returns nil if there is no such range, or if something else may find the rows.
  init?(
    _ conjuncts: [Conjunct], _ sql: QuerySQL, _ keys: [QuerySortKey], of queryClass: QueryClass
  ) {
    guard sql.limit == nil, sql.orderTables.isEmpty, sql.tables == "\(queryClass.table) AS t" else {
      return nil
    }
    var conditions: [(column: String, sql: String)] = []
    var columns: Set<String> = []
    for conjunct in conjuncts {
      if case .comparison(let comparison) = conjunct.predicate, !conjunct.isNegated,
        let property = comparison.rangeOfIndex
      {
        conditions.append((property.column, conjunct.sql))
        columns.insert(property.column)
      } else if !conjunct.predicate.needsNoIndex(&columns) {
        return nil
      }
    }
    guard !conditions.isEmpty else { return nil }
    var ranges: [Range] = []
    for (column, _) in conditions where !ranges.contains(where: { $0.column == column }) {
      let sql = conditions.filter { $0.column == column }.map(\.sql)
      ranges.append(Range(column: column, condition: sql.joined(separator: " AND ")))
    }
    self.ranges = ranges
    self.columns = columns
    order = keys.isEmpty ? .identities : keys[0].isSearchable ? .index : .values
    indexes = queryClass.indexes
    table = queryClass.table
    identity = queryClass.identity
    widthSQL = queryClass.widthSQL
  }

  /// Whether an index contains all columns of the conditions, and some further columns, so that
  /// SQLite doesn't read the rows.
  package func isCovered(reading further: [String] = []) -> Bool {
    let needed = columns.union(further)
    return indexes.contains { index in
      ranges.contains { $0.column == index[0] } && needed.isSubset(of: index)
    }
  }
}

extension ResolvedComparison {
  /// The indexed property, if this is a range of its values.
  fileprivate var rangeOfIndex: QueryProperty? {
    guard let property = left.ownProperty, property.isSearchable, options.isEmpty else {
      return nil
    }
    switch (self.operator, right) {
    case (.less, .constant(.value)), (.lessOrEqual, .constant(.value)),
      (.greater, .constant(.value)), (.greaterOrEqual, .constant(.value)):
      return right.isNaN ? nil : property
    case (.beginsWith, .constant(.value(.text(let text), _))): return text.isEmpty ? nil : property
    case (.between, .list(let ends)):
      let isRange = ends.allSatisfy { if case .value = $0 { !$0.isNaN } else { false } }
      return isRange ? property : nil
    default: return nil
    }
  }
}

extension ResolvedOperand {
  /// The property of the row itself; nil for other operands, and for a property with several
  /// columns.
  fileprivate var ownProperty: QueryProperty? {
    guard case .path(let path) = self, path.depth == 0, path.steps.isEmpty, path.nested.isEmpty,
      case .property(let property) = path.target, !property.isCollection,
      property.type != .any, property.type != .decimal128
    else { return nil }
    return property
  }

  fileprivate var isNaN: Bool {
    if case .constant(let constant) = self { constant.isNaN } else { false }
  }
}

extension ResolvedPredicate {
  /// Whether no index could answer the condition. Records the columns that it reads.
  fileprivate func needsNoIndex(_ columns: inout Set<String>) -> Bool {
    switch self {
    case .constant: return true
    case .not(let part): return part.needsNoIndex(&columns)
    case .and(let parts), .or(let parts):
      return parts.allSatisfy { $0.needsNoIndex(&columns) }
    case .comparison(let comparison):
      guard let property = comparison.left.ownProperty, !property.isSearchable,
        comparison.right.isConstant
      else { return false }
      switch comparison.operator {
      case .text, .geoWithin: return false
      default: break
      }
      columns.insert(property.column)
      return true
    }
  }
}

extension QuerySortKey {
  /// Whether an index may have the order.
  fileprivate var isSearchable: Bool {
    guard case .property(let property) = path.target, path.steps.isEmpty else { return true }
    return property.isSearchable
  }
}

/// The purpose for which the rows of a query are read.
package enum RangeUse: Sendable, Hashable {
  /// A value that is computed from some quoted columns.
  case values([String])
  case objects
  /// The first or the last object.
  case first
}

extension IndexedRanges {
  /// Whether SQLite's default plan is the best, whatever the contents of the file.
  package func isUsual(for use: RangeUse) -> Bool {
    switch use {
    case .values(let columns): isCovered(reading: columns)
    case .objects, .first: order == .index
    }
  }

  /// Returns the fastest plan, or one that takes at most a fifth longer.
  ///
  /// - Parameters:
  ///   - sample: The first identities of a range in the order of its index; nil after a failure.
  ///   - count: The number of rows in a range, up to a limit; nil after a failure.
  package func way(
    for use: RangeUse, _ costs: RangeCosts, sample: (Range) -> [Int64]?,
    count: (Range, _ limit: Int64) -> Int64?
  ) -> RangeWay {
    let rowOrder = rowOrder(for: use)
    var best: (way: RangeWay, time: Double)?
    for (number, range) in ranges.enumerated() {
      guard let rows = sample(range) else { return .usual }
      if rows.count < RangeCosts.sample {
        return rowOrder == .identities && use != .first ? .identities(number) : index(number)
      }
      let distance = costs.distance(rows)
      if use == .first, order == .identities, isCovered() {
        return count(range, Self.maxForFirst).map { first($0, distance) } ?? .usual
      }
      let limit = costs.limit(rowOrder, distance)
      let way = costs.way(rowOrder, distance, by: number)
      if limit >= costs.rows, ranges.count == 1 { return simplest(way) }
      guard let found = count(range, limit) else { return .usual }
      guard found < limit else { continue }
      let time = costs.time(rowOrder, distance, of: found)
      if time < best?.time ?? .infinity { best = (way, time) }
    }
    return best.map { simplest($0.way) } ?? .scan
  }

  private func rowOrder(for use: RangeUse) -> RangeCosts.Order {
    if case .values = use { return .any }
    return order == .identities ? .identities : .any
  }

  /// SQLite finds the least identity of a range in its index alone. If the range has many scattered
  /// rows, one of them is near the beginning of the table.
  private func first(_ count: Int64, _ distance: Double) -> RangeWay {
    count < Self.maxForFirst || distance < 0.25 ? .usual : .scan
  }

  private static let maxForFirst: Int64 = 20_000

  private func index(_ number: Int) -> RangeWay { simplest(.index(number)) }

  /// SQLite chooses the only index by itself.
  private func simplest(_ way: RangeWay) -> RangeWay {
    ranges.count == 1 && way == .index(0) ? .usual : way
  }
}

/// A plan for a query with ranges of indexed properties.
package enum RangeWay: Sendable, Hashable {
  /// SQLite's default plan.
  case usual
  case scan
  /// The index of one of the ranges, and from there each row.
  case index(Int)
  /// The index of one of the ranges, and then its rows in the order of their identities.
  case identities(Int)
}

extension IndexedRanges {
  /// The statement for the number of rows of a table, or slightly more.
  package var rowCountSQL: String { "SELECT ifnull(max(\(identity)), 0) FROM \(table)" }

  /// The statement for the average bytes of the first and the last rows.
  package var widthStatement: String {
    let rows = { (order: String) in
      "SELECT * FROM (SELECT \(widthSQL) AS w FROM \(table) AS t ORDER BY t.\(identity) \(order) LIMIT 16)"
    }
    return
      "SELECT CAST(ifnull(avg(w), 0) AS INTEGER) FROM (\(rows("ASC")) UNION ALL \(rows("DESC")))"
  }

  /// Returns the statement for the identities of a range in the order of its index. The last
  /// parameter is the limit.
  package func sample(_ range: Range, _ parameter: String) -> String {
    "SELECT t.\(identity) FROM \(table) AS t WHERE \(range.condition) LIMIT \(parameter)"
  }

  /// Returns the statement for the number of rows in a range. The last parameter is the limit of
  /// the count.
  package func count(_ range: Range, _ parameter: String) -> String {
    "SELECT count(*) FROM (SELECT 1 FROM \(table) AS t WHERE \(range.condition) LIMIT \(parameter))"
  }
}

extension QuerySQL {
  /// Returns the same query, written so that SQLite uses a plan. The rows and their order are the
  /// same.
  package func taking(_ way: RangeWay) -> QuerySQL {
    guard let ranges, let condition else { return self }
    var sql = self
    sql.ranges = nil
    switch way {
    case .usual: break
    case .scan: sql.condition = ranges.withoutIndexes(condition, but: nil)
    case .index(let number): sql.condition = ranges.withoutIndexes(condition, but: number)
    case .identities(let number):
      let column = "t.\(ranges.identity)"
      let rows =
        "SELECT \(column) FROM \(ranges.table) AS t WHERE \(ranges.ranges[number].condition)"
      let rest = ranges.withoutIndexes(condition, but: nil)
      sql.condition = "\(column) IN (\(rows)) AND \(rest)"
    }
    return sql
  }
}

extension IndexedRanges {
  /// Returns the condition with `+t."age"`, the same value without an index. Constants are
  /// parameters and names are quoted, so the text of the column can't occur elsewhere.
  fileprivate func withoutIndexes(_ condition: String, but kept: Int?) -> String {
    var condition = condition
    for (number, range) in ranges.enumerated() where number != kept {
      condition = condition.replacing("t.\(range.column)", with: "+t.\(range.column)")
    }
    return condition
  }
}

/// The time that SQLite takes for the plans that read the rows of a range.
///
/// In microseconds, from measurements of in-memory tables whose rows have 70 to 6,000 bytes. Only
/// their ratios matter.
package struct RangeCosts: Sendable, Hashable {
  /// The order in which rows are read.
  enum Order {
    /// Any order: for a value that is computed from all rows, or for sorting them.
    case any
    case identities
  }

  /// The number of rows in the table.
  package var rows: Int64
  /// The size of a row in bytes.
  package var width: Int

  package init(rows: Int64, width: Int) {
    self.rows = rows
    self.width = width
  }

  /// Tables with fewer rows are read in a millisecond by either plan.
  package static let minRows: Int64 = 20_000
  /// The number of index entries from which the distance of their rows is estimated. A range with
  /// fewer entries uses the index.
  package static let sample = 128

  /// The time of a table scan for each row. Overflow pages are skipped.
  private var scan: Double { 0.035 + 0.00033 * Double(min(width, 1_600)) }

  /// The time to find a row from an entry of an index.
  private func index(_ distance: Double) -> Double { 0.1 + 1.5 * distance }

  /// The time to find a row in the order of identities, including sorting them.
  private func identities(_ distance: Double) -> Double {
    0.22 + (0.68 + 0.0008 * Double(min(width, 1_000))) * distance
  }

  /// Returns the average distance of successive rows of an index, in pages: 0 for rows in one page,
  /// at most 1.
  func distance(_ identities: [Int64]) -> Double {
    guard identities.count > 1 else { return 1 }
    let sum = zip(identities, identities.dropFirst()).reduce(0.0) { sum, pair in
      sum + min(1, abs(Double(pair.1) - Double(pair.0)) * Double(max(width, 1)) / 4_096)
    }
    return sum / Double(identities.count - 1)
  }

  /// Returns the faster plan with an index, and its time for each row.
  private func best(_ order: Order, _ distance: Double) -> (isByIdentity: Bool, cost: Double) {
    let identities = identities(distance)
    // In the order of the index, objects would have to be sorted.
    guard order == .any, index(distance) <= identities else { return (true, identities) }
    return (false, index(distance))
  }

  /// Returns the largest number of rows in a range for which its index isn't slower than the scan.
  func limit(_ order: Order, _ distance: Double) -> Int64 {
    let share = scan / best(order, distance).cost
    return Int64(Double(rows) * min(1, share))
  }

  /// Returns the plan with the index of a range that has fewer rows than the limit.
  func way(_ order: Order, _ distance: Double, by range: Int) -> RangeWay {
    best(order, distance).isByIdentity ? .identities(range) : .index(range)
  }

  /// Returns the time of that plan.
  func time(_ order: Order, _ distance: Double, of count: Int64) -> Double {
    best(order, distance).cost * Double(count)
  }
}
