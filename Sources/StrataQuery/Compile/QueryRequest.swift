import Synchronization

/// The request of a query: the calls of `where`, `sorted`, `distinct` and `limit`, in their order.
package struct QueryRequest: Sendable, Hashable {
  /// The levels. Each level selects from the rows of the previous one. A new level begins after a
  /// limit.
  package private(set) var levels = [QueryLevel()]

  package init() {}

  package var isSorted: Bool { levels.contains { $0.orderings.contains(where: \.isSort) } }

  /// Whether only some of the rows are requested.
  package var isRestricted: Bool {
    levels.contains { !$0.predicates.isEmpty || $0.limit != nil || $0.hasDistinct }
  }

  package var isLimited: Bool { levels.contains { $0.limit != nil } }

  /// Whether only the first of several rows with the same values is requested.
  package var isDistinct: Bool { levels.contains(where: \.hasDistinct) }

  /// Excludes the rows for which a condition is false.
  package mutating func add(_ predicate: ResolvedPredicate) {
    openLevel()
    levels[levels.count - 1].predicates.append(predicate)
  }

  /// Sorts the rows, or keeps the first one of equal rows.
  package mutating func add(_ ordering: QueryOrdering) {
    openLevel()
    levels[levels.count - 1].orderings.append(ordering)
  }

  /// Adds a limit. Later additions apply to the limited rows.
  package mutating func add(_ limit: QueryLimit) {
    openLevel()
    levels[levels.count - 1].limit = limit
  }

  package mutating func checkSize(_ base: QueryBase) throws(PredicateProblem) {
    for index in levels.indices { try levels[index].predicates.checkSize(base) }
  }

  private mutating func openLevel() {
    if levels[levels.count - 1].limit != nil { levels.append(QueryLevel()) }
  }
}

/// Conditions, orders and a limit for the same rows.
package struct QueryLevel: Sendable, Hashable {
  /// All must be true. They are evaluated before the orders, as in Realm.
  package fileprivate(set) var predicates = PredicateChain()
  package var orderings: [QueryOrdering] = []
  package var limit: QueryLimit?

  var hasDistinct: Bool { orderings.contains { !$0.isSort } }
}

/// An order of rows, or the choice of one row of several equal ones.
package enum QueryOrdering: Sendable, Hashable {
  /// By the first key, equal rows by the second, and so on; then in the previous order.
  case sort([QuerySortKey])
  /// Keeps the first row, in the previous order, of rows with the same values. Rows with a nil link
  /// on the path to a value are excluded.
  case distinct([ResolvedPath])

  var isSort: Bool { if case .sort = self { true } else { false } }
}

/// A value to sort by, and the direction.
package struct QuerySortKey: Sendable, Hashable {
  package var path: ResolvedPath
  package var ascending: Bool

  package init(_ path: ResolvedPath, ascending: Bool) {
    self.path = path
    self.ascending = ascending
  }
}

/// The number of rows, and the offset before them.
package struct QueryLimit: Sendable, Hashable {
  package var count: Int64
  package var offset: Int64

  package init(count: Int64, offset: Int64) {
    self.count = count
    self.offset = offset
  }
}

/// The initial tables of a query.
package struct QueryBase: Sendable {
  /// The class of the rows, which are in the table `t`.
  package var queryClass: QueryClass
  /// The tables, after `FROM`.
  package var tables: String
  /// The condition of the rows, with the parameter ?1; nil for all rows of the class.
  package var condition: String?
  package var parameter: Int64?
  /// The key that is unique for each row.
  package var rowKey: String
  /// The default order of the rows.
  package var order: String
  /// Whether each row occurs once, and the default order is by identity.
  package var isByIdentity: Bool

  package init(
    _ queryClass: QueryClass, tables: String, condition: String? = nil, parameter: Int64? = nil,
    rowKey: String, order: String, isByIdentity: Bool
  ) {
    self.queryClass = queryClass
    self.tables = tables
    self.condition = condition
    self.parameter = parameter
    self.rowKey = rowKey
    self.order = order
    self.isByIdentity = isByIdentity
  }
}

/// A dependency of a query's result.
package enum QueryRead: Sendable, Hashable {
  /// The values of a property, or the elements of a collection.
  case property(QueryProperty)
  /// The existing rows of a class.
  case rows(className: String)
}

/// The conditions that a program has added one after the other, all of which must be true.
///
/// A value type. Chains that are derived from each other share their beginning, so adding a
/// condition takes constant time.
package struct PredicateChain: Sendable {
  /// Nil without a condition.
  private var storage: Storage?
  package private(set) var count = 0
  /// The greatest depth of a condition.
  package private(set) var depth = 0
  /// The number of comparisons in all conditions.
  private var comparisons = 0
  /// The size of the first conditions in SQL.
  private var measured = Measure()

  /// The conditions of the longest chain. Other chains use the first ones of them.
  private final class Storage: Sendable {
    let conditions: Mutex<[ResolvedPredicate]>

    init(_ conditions: [ResolvedPredicate]) { self.conditions = Mutex(conditions) }
  }

  private struct Measure: Sendable {
    var count = 0
    var bytes = 0
    var parameters = 0
  }

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// The conditions in the order in which they were added.
  package var conditions: [ResolvedPredicate] {
    storage?.conditions.withLock { $0.count == count ? $0 : Array($0[..<count]) } ?? []
  }

  package mutating func append(_ condition: ResolvedPredicate) {
    let isAppended = storage?.conditions.withLock { conditions in
      // Another chain may have added a different condition here.
      guard conditions.count == count else { return false }
      conditions.append(condition)
      return true
    }
    if isAppended != true { storage = Storage(conditions + [condition]) }
    count += 1
    depth = max(depth, condition.depth)
    comparisons += condition.comparisonCount
  }

  // MARK: Size

  /// The number of comparisons that SQLite always accepts in a statement.
  private static let fewComparisons = 500
  /// The limits of the conditions, which are only a part of the statement. SQLite accepts 32,766
  /// parameters, and at least a million bytes of text.
  private static let maxParameters = 16_000
  private static let maxBytes = 900_000

  mutating func checkSize(_ base: QueryBase) throws(PredicateProblem) {
    guard comparisons > Self.fewComparisons else { return }
    let new = storage?.conditions.withLock { Array($0[measured.count..<count]) } ?? []
    for condition in new {
      var request = QueryRequest()
      request.add(condition)
      let sql = request.compiled(for: base)
      // The numbers of parameters have more digits in a longer statement.
      measured.bytes += (sql.condition ?? "").utf8.count + 8 + sql.parameters.count * 5
      measured.parameters += sql.parameters.count
    }
    measured.count = count
    guard measured.bytes <= Self.maxBytes, measured.parameters <= Self.maxParameters else {
      throw .tooManyConditions(comparisons)
    }
  }
}

extension PredicateChain: Hashable {
  package static func == (first: PredicateChain, second: PredicateChain) -> Bool {
    first.count == second.count
      && (first.storage === second.storage || first.conditions == second.conditions)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(conditions) }
}

extension ResolvedPredicate {
  fileprivate var comparisonCount: Int {
    switch self {
    case .constant: 1
    case .not(let part): part.comparisonCount
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.comparisonCount }
    case .comparison(let comparison):
      1 + comparison.right.constantCount
        + (comparison.left.subqueryPredicate?.comparisonCount ?? 0)
    }
  }
}

extension ResolvedOperand {
  fileprivate var constantCount: Int {
    if case .list(let values) = self { values.count } else { 0 }
  }

  fileprivate var subqueryPredicate: ResolvedPredicate? {
    if case .count(_, _, let predicate) = self { predicate } else { nil }
  }
}

extension PredicateProblem {
  fileprivate static func tooManyConditions(_ count: Int) -> PredicateProblem {
    PredicateProblem(
      "The condition has \(count) comparisons, which is more than SQLite takes in a statement. Use "
        + "'IN' with a list of values, or run several queries.")
  }
}
