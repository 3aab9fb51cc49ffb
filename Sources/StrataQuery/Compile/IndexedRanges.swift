import StrataSchema

/// The ranges of indexed properties that a query asks for, where nothing else helps to find its
/// rows.
///
/// SQLite doesn't know how many rows a range has. It takes the index also for half of them, which
/// takes eleven times as long as going through the table.
package struct IndexedRanges: Sendable, Hashable {
  /// The range of one property.
  package struct Range: Sendable, Hashable {
    /// Quoted.
    package let column: String
    /// In SQL about the table `t`, with the parameters of the query.
    package let condition: String
  }

  /// The order that the rows are asked for in.
  package enum Order: Sendable {
    /// By identity.
    case identities
    /// By values that no index has in order.
    case values
    /// Perhaps that of an index.
    case index
  }

  /// A condition of which all must be true.
  struct Conjunct {
    var predicate: ResolvedPredicate
    var isNegated: Bool
    var sql: String
  }

  /// One for each property.
  package let ranges: [Range]
  package let order: Order
  /// The quoted columns that the conditions read.
  let columns: Set<String>
  /// The columns of the class's indexes.
  let indexes: [[String]]
  /// Quoted, as is the column of its identities.
  let table: String
  let identity: String
  let widthSQL: String

  /// Nil where there is no such range, or where something else may find the rows.
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

  /// Whether an index has all that the conditions read, and some further columns, so that SQLite
  /// doesn't look for the rows.
  package func isCovered(reading further: [String] = []) -> Bool {
    let needed = columns.union(further)
    return indexes.contains { index in
      ranges.contains { $0.column == index[0] } && needed.isSubset(of: index)
    }
  }
}

extension ResolvedComparison {
  /// The indexed property of which this is a range.
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
  /// The property of the row itself; nil for anything else, and where it has several columns.
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
  /// Whether no index could answer the condition; notes the columns that it reads.
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
