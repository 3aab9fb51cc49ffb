/// The request of a query: what a program has said with `where`, `sorted`, `distinct` and `limit`,
/// in the order in which it said it.
package struct QueryRequest: Sendable, Hashable {
  /// Each level asks for rows among those of the level before it. A new one begins after a limit.
  package private(set) var levels = [QueryLevel()]

  package init() {}

  /// Whether rows are in another order than their own.
  package var isSorted: Bool { levels.contains { $0.orderings.contains(where: \.isSort) } }

  /// Whether only some of the rows are asked for.
  package var isRestricted: Bool {
    levels.contains { !$0.predicates.isEmpty || $0.limit != nil || $0.hasDistinct }
  }

  /// Whether only so many rows are asked for, of which others may be asked for then.
  package var isLimited: Bool { levels.contains { $0.limit != nil } }

  /// Whether of rows with the same values only the first is asked for.
  package var isDistinct: Bool { levels.contains(where: \.hasDistinct) }

  /// Leaves out the rows for which a condition is false.
  package mutating func add(_ predicate: ResolvedPredicate) {
    openLevel()
    levels[levels.count - 1].add(predicate)
  }

  /// Puts the rows in order, or keeps the first of those that are alike.
  package mutating func add(_ ordering: QueryOrdering) {
    openLevel()
    levels[levels.count - 1].orderings.append(ordering)
  }

  /// Keeps so many of the rows; what is added afterwards concerns only these.
  package mutating func add(_ limit: QueryLimit) {
    openLevel()
    levels[levels.count - 1].limit = limit
  }

  /// - Throws: ``PredicateProblem`` for more conditions than SQLite takes in a statement.
  package mutating func checkSize(_ base: QueryBase) throws(PredicateProblem) {
    for index in levels.indices { try levels[index].checkSize(base) }
  }

  private mutating func openLevel() {
    if levels[levels.count - 1].limit != nil { levels.append(QueryLevel()) }
  }
}

/// Conditions, orders and a limit that concern the same rows.
package struct QueryLevel: Sendable, Hashable {
  /// All must be true; they come before the orders, as in Realm.
  package private(set) var predicates = PredicateChain()
  package var orderings: [QueryOrdering] = []
  package var limit: QueryLimit?

  fileprivate mutating func add(_ predicate: ResolvedPredicate) { predicates.append(predicate) }

  fileprivate mutating func checkSize(_ base: QueryBase) throws(PredicateProblem) {
    try predicates.checkSize(base)
  }

  var hasDistinct: Bool { orderings.contains { !$0.isSort } }
}

/// The order of rows, or which of several alike ones is kept.
package enum QueryOrdering: Sendable, Hashable {
  /// By the first key, among equals by the second, and so on; then in the order so far.
  case sort([QuerySortKey])
  /// Of rows with the same values the first in the order so far. Rows with a nil link on the way to
  /// a value are left out.
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

/// The number of rows, and how many before them are left out.
package struct QueryLimit: Sendable, Hashable {
  package var count: Int64
  package var offset: Int64

  package init(count: Int64, offset: Int64) {
    self.count = count
    self.offset = offset
  }
}

/// The tables that a query begins with.
package struct QueryBase: Sendable {
  /// The class of the rows, which are those of the table `t`.
  package var queryClass: QueryClass
  /// The tables, after `FROM`.
  package var tables: String
  /// What limits the rows, with the parameter ?1; nil for all rows of the class.
  package var condition: String?
  package var parameter: Int64?
  /// What is different for each row.
  package var rowKey: String
  /// What puts the rows in their own order.
  package var order: String
  /// Whether a row is there once, and its own order is that of its identity.
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

/// A thing that the result of a query depends on.
package enum QueryRead: Sendable, Hashable {
  /// The values of a property, or the elements of a collection.
  case property(QueryProperty)
  /// Which rows a class has.
  case rows(className: String)
}
