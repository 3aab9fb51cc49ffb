import StrataSchema

/// Properties, also behind links, that are each compared with a constant of a usual type, and of
/// which all comparisons must be true: the conditions that programs ask most.
///
/// They are found among known shapes as they are. The tree, of which each part is an allocation, is
/// made only where it is needed. A class, as the values of `where` closures are copied often.
package final class PropertyConditions: Sendable {
  let first: Comparison
  let others: [Comparison]

  /// A property that is compared with a constant.
  struct Comparison: Sendable {
    /// The parts of the path from the object that is asked about.
    let parts: [QueryPart]
    let `operator`: QueryOperator
    let constant: UsualConstant
  }

  /// One comparison; nil where it has no shape.
  ///
  /// - Parameter path: One without elements of collections.
  package init?(_ path: QueryPath, _ operator: QueryOperator, _ value: QueryValue) {
    guard path.variable == nil, `operator`.isComparison, let constant = UsualConstant(value) else {
      return nil
    }
    first = Comparison(parts: path.parts, operator: `operator`, constant: constant)
    others = []
  }

  private init(_ first: Comparison, _ others: [Comparison]) {
    self.first = first
    self.others = others
  }

  /// All of these, and all of others.
  package func and(_ conditions: PropertyConditions) -> PropertyConditions {
    let second = [conditions.first]
    if others.isEmpty, conditions.others.isEmpty { return PropertyConditions(first, second) }
    return PropertyConditions(first, others + second + conditions.others)
  }

  package var count: Int { 1 + others.count }

  /// The parameters of a statement.
  var constants: [StoredValue] {
    if others.isEmpty { return [first.constant.stored] }
    var constants: [StoredValue] = []
    constants.reserveCapacity(count)
    constants.append(first.constant.stored)
    for other in others { constants.append(other.constant.stored) }
    return constants
  }

  /// The same condition as a tree.
  package var predicate: QueryPredicate {
    others.isEmpty ? first.predicate : .and([first.predicate] + others.map(\.predicate))
  }
}

extension PropertyConditions.Comparison {
  fileprivate var predicate: QueryPredicate {
    .comparison(
      QueryComparison(.path(QueryPath(parts)), `operator`, .value(constant.value)))
  }
}
