import Synchronization

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
