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
