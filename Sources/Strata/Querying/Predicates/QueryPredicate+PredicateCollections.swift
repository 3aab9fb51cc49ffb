import Foundation
import StrataQuery

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
