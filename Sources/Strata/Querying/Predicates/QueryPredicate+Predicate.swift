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
