import Foundation
import StrataQuery

extension QueryPredicate {
  /// Converts a `#Predicate` into a condition; an invalid one if the predicate computes values or
  /// reads data that isn't stored.
  init<Element>(_ predicate: Foundation.Predicate<Element>) {
    var walk = PredicateWalk()
    walk[predicate.variable.key] = QueryPath([])
    do throws(PredicateProblem) {
      self = try walk.condition(predicate.expression)
    } catch {
      self = .invalid(error)
    }
  }
}

// MARK: - Conditions

extension PredicateExpressions.Conjunction: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    .condition(.and([try walk.condition(lhs), try walk.condition(rhs)]))
  }
}

extension PredicateExpressions.Disjunction: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    .condition(.or([try walk.condition(lhs), try walk.condition(rhs)]))
  }
}

extension PredicateExpressions.Negation: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    .condition(.not(try walk.condition(wrapped)))
  }
}

extension PredicateExpressions.Conditional: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    let test = try walk.condition(test)
    return .condition(
      .or([
        .and([test, try walk.condition(trueBranch)]),
        .and([.not(test), try walk.condition(falseBranch)]),
      ]))
  }
}

extension PredicateExpressions.Equal: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    let (left, right) = (try walk.fragment(lhs), try walk.fragment(rhs))
    return .condition(try walk.compared(left, .equal, right))
  }
}

extension PredicateExpressions.NotEqual: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    let (left, right) = (try walk.fragment(lhs), try walk.fragment(rhs))
    return .condition(try walk.compared(left, .notEqual, right))
  }
}

extension PredicateExpressions.Comparison: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    let (left, right) = (try walk.fragment(lhs), try walk.fragment(rhs))
    let comparison: QueryOperator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw .unsupportedExpression(Self.self)
      }
    return .condition(try walk.compared(left, comparison, right))
  }
}

// MARK: - Texts

extension PredicateExpressions.CollectionContainsCollection: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    try walk.compareTexts(base, .contains, other, Self.self)
  }
}

extension PredicateExpressions.SequenceStartsWith: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    try walk.compareTexts(base, .beginsWith, prefix, Self.self)
  }
}

#if canImport(Darwin)
  extension PredicateExpressions.StringLocalizedStandardContains: ReadableExpression {
    func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
      try walk.compareTexts(
        root, .contains, other, Self.self,
        options: [.caseInsensitive, .diacriticInsensitive])
    }
  }
#endif

extension PredicateWalk {
  fileprivate mutating func compareTexts<Base: PredicateExpression>(
    _ base: Base, _ operator: QueryOperator, _ other: any PredicateExpression, _ type: Any.Type,
    options: QueryOptions = []
  ) throws(PredicateProblem) -> PredicateFragment {
    guard Base.Output.self is any StringProtocol.Type || Base.Output.self == Data.self else {
      throw .unsupportedExpression(type)
    }
    return .condition(
      .comparison(
        QueryComparison(try operand(base), `operator`, try operand(other), options: options)))
  }
}

extension PredicateExpressions.SequenceContains: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    let sequence = try walk.fragment(sequence)
    let element = try walk.operand(element)
    switch (sequence, element) {
    case (.range(let range), _): return .condition(range.contains(element))
    case (.operand(.list(let values)), .value(let value)):
      return .condition(.constant(values.contains(value)))
    case (.operand(.list), _):
      guard case .operand(let list) = sequence else { break }
      return .condition(.comparison(QueryComparison(element, .in, list)))
    case (.operand(.path(let path)), _):
      if LHS.Output.self is any StringProtocol.Type {
        return .condition(.comparison(QueryComparison(.path(path), .contains, element)))
      }
      return .condition(
        .comparison(QueryComparison(.path(path), .equal, element, quantifier: .any)))
    default: break
    }
    throw .unsupportedExpression(Self.self)
  }
}

extension PredicateExpressions.SequenceContainsWhere: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    let hasObjects = LHS.Output.Element.self is ObjectBase.Type
    guard hasObjects else {
      return .condition(
        try walk.compareValues(of: sequence, variable.key, test, quantifier: .any))
    }
    let subquery = try walk.elements(of: sequence, variable.key, test)
    return .condition(
      .comparison(QueryComparison(.subquery(subquery), .greater, .value(.int(0)))))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    let hasObjects = LHS.Output.Element.self is ObjectBase.Type
    guard hasObjects else {
      return .condition(
        try walk.compareValues(of: sequence, variable.key, test, quantifier: .all))
    }
    let subquery = try walk.elements(of: sequence, variable.key, test, isNegated: true)
    return .condition(
      .comparison(QueryComparison(.subquery(subquery), .equal, .value(.int(0)))))
  }
}

extension PredicateExpressions.Filter: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    guard LHS.Output.Element.self is ObjectBase.Type else { throw .filteredValues }
    return .elements(try walk.elements(of: sequence, variable.key, filter))
  }
}

extension PredicateExpressions.SequenceMinimum: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    var path = try walk.path(elements)
    path.parts.append(.operation(.min))
    return .operand(.path(path))
  }
}

extension PredicateExpressions.SequenceMaximum: ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment {
    var path = try walk.path(elements)
    path.parts.append(.operation(.max))
    return .operand(.path(path))
  }
}

extension PredicateWalk {
  /// Returns the objects of a collection for which a condition is true, or false if negated.
  fileprivate mutating func elements(
    of sequence: any PredicateExpression, _ variable: PredicateExpressions.VariableID,
    _ test: any PredicateExpression, isNegated: Bool = false
  ) throws(PredicateProblem) -> QuerySubquery {
    let fragment = try fragment(sequence)
    let filtered: QuerySubquery?
    let collection: QueryPath
    switch fragment {
    case .elements(let subquery):
      filtered = subquery
      collection = subquery.collection
      self[variable] = QueryPath([], variable: subquery.variable)
    case .operand(.path(let path)):
      filtered = nil
      collection = path
    default: throw .noValue(type(of: sequence))
    }
    let name = filtered?.variable ?? addElement(variable)
    let condition = try self.condition(test)
    let tested: QueryPredicate = isNegated ? .not(condition) : condition
    return QuerySubquery(
      collection, name, filtered.map { .and([$0.predicate, tested]) } ?? tested)
  }

  /// Returns one comparison of the values of a collection.
  fileprivate mutating func compareValues(
    of sequence: any PredicateExpression, _ variable: PredicateExpressions.VariableID,
    _ test: any PredicateExpression, quantifier: QueryQuantifier
  ) throws(PredicateProblem) -> QueryPredicate {
    let path = try path(sequence)
    // The path represents each of its values.
    self[variable] = path
    guard case .comparison(var comparison) = try condition(test),
      comparison.left == .path(path) || comparison.right == .path(path)
    else { throw .severalConditionsOnValues }
    comparison.quantifier = quantifier
    return .comparison(comparison)
  }
}
