import Foundation
import StrataQuery

/// The meaning of a part of a `#Predicate`.
indirect enum PredicateFragment {
  case operand(QueryOperand)
  case condition(QueryPredicate)
  /// A condition on a linked object; nil if the link is nil.
  case ofLink(QueryPath, QueryPredicate)
  /// A value, and the default that replaces nil.
  case defaulted(QueryPath, QueryOperand)
  /// The elements of a collection that meet a condition.
  case elements(QuerySubquery)
  case range(PredicateRange)
}

/// A range. A missing bound leaves that side open.
struct PredicateRange {
  var lower: QueryOperand?
  var upper: QueryOperand?
  var includesUpper: Bool

  func contains(_ operand: QueryOperand) -> QueryPredicate {
    var parts: [QueryPredicate] = []
    if let lower { parts.append(.comparison(QueryComparison(operand, .greaterOrEqual, lower))) }
    if let upper {
      parts.append(
        .comparison(QueryComparison(operand, includesUpper ? .lessOrEqual : .less, upper)))
    }
    return parts.count == 1 ? parts[0] : .and(parts)
  }
}

/// A kind of expression in Foundation's predicates that can be translated into a query.
protocol ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment
}

/// The state of translating a `#Predicate`.
struct PredicateWalk {
  /// The paths of the variables: of the queried object, of elements and of linked objects.
  private var paths: [PredicateExpressions.VariableID: QueryPath] = [:]
  private var variableCount = 0
  private var depth = 0

  subscript(variable: PredicateExpressions.VariableID) -> QueryPath? {
    get { paths[variable] }
    set { paths[variable] = newValue }
  }

  /// Binds a variable to the elements of a collection. Returns the name of the new variable.
  mutating func addElement(_ variable: PredicateExpressions.VariableID) -> String {
    variableCount += 1
    let name = "element\(variableCount)"
    paths[variable] = QueryPath([], variable: name)
    return name
  }

  mutating func fragment(
    _ expression: any PredicateExpression
  ) throws(PredicateProblem) -> PredicateFragment {
    guard depth < QueryDepth.maxDepth else { throw .tooDeep(QueryDepth.maxDepth) }
    guard let readable = expression as? any ReadableExpression else {
      throw .unsupportedExpression(type(of: expression))
    }
    depth += 1
    defer { depth -= 1 }
    return try readable.fragment(in: &self)
  }

  /// Translates an expression into a condition.
  mutating func condition(
    _ expression: any PredicateExpression
  ) throws(PredicateProblem) -> QueryPredicate {
    switch try fragment(expression) {
    case .condition(let condition): return condition
    case .operand(.value(.bool(let value))): return .constant(value)
    case .operand(.path(let path)):
      return .comparison(QueryComparison(.path(path), .equal, .value(.bool(true))))
    case .defaulted(let path, let value):
      return try compared(.defaulted(path, value), .equal, .operand(.value(.bool(true))))
    case .operand, .ofLink, .elements, .range: throw .noCondition(type(of: expression))
    }
  }

  /// Translates an expression into an operand.
  mutating func operand(
    _ expression: any PredicateExpression
  ) throws(PredicateProblem) -> QueryOperand {
    guard case .operand(let operand) = try fragment(expression) else {
      throw .noValue(type(of: expression))
    }
    return operand
  }

  /// Translates an expression into a path.
  mutating func path(
    _ expression: any PredicateExpression
  ) throws(PredicateProblem) -> QueryPath {
    guard case .path(let path) = try operand(expression) else {
      throw .noValue(type(of: expression))
    }
    return path
  }

  // MARK: - Comparisons

  func compared(
    _ left: PredicateFragment, _ operator: QueryOperator, _ right: PredicateFragment
  ) throws(PredicateProblem) -> QueryPredicate {
    switch (left, right) {
    case (.operand(let left), .operand(let right)):
      return try compared(left, `operator`, right)
    case (.defaulted(let path, let value), .operand):
      return .or([
        .and([.not(path.isNull), try compared(.operand(.path(path)), `operator`, right)]),
        .and([path.isNull, try compared(.operand(value), `operator`, right)]),
      ])
    case (.operand, .defaulted):
      guard let exchanged = `operator`.exchanged else { throw .comparedCondition }
      return try compared(right, exchanged, left)
    case (.condition(let condition), .operand(.value(.bool(let value)))),
      (.operand(.value(.bool(let value))), .condition(let condition)):
      guard `operator` == .equal || `operator` == .notEqual else { throw .comparedCondition }
      return value == (`operator` == .equal) ? condition : .not(condition)
    default: throw .comparedCondition
    }
  }

  private func compared(
    _ left: QueryOperand, _ operator: QueryOperator, _ right: QueryOperand
  ) throws(PredicateProblem) -> QueryPredicate {
    guard case .value(let first) = left, case .value(let second) = right else {
      return .comparison(QueryComparison(left, `operator`, right))
    }
    guard let result = `operator`.holds(first, second) else { throw .comparedConstants }
    return .constant(result)
  }
}

extension QueryOperator {
  /// Returns the result of comparing two constants of the same simple type; nil for other types.
  fileprivate func holds(_ first: QueryValue, _ second: QueryValue) -> Bool? {
    if first == .null || second == .null {
      return self == (first == second ? .equal : .notEqual)
    }
    guard let type = first.type, type == second.type,
      [.int, .double, .float, .string, .date, .bool].contains(type),
      let first = ResolvedConstant(first, type), let second = ResolvedConstant(second, type)
    else { return nil }
    return ValueComparison.isTrue(first, self, second, [])
  }
}

extension PredicateProblem {
  /// Returns the name of a kind of expression: `PredicateExpressions.Arithmetic<…>` is
  /// `Arithmetic`.
  private static func name(_ type: Any.Type) -> String {
    let whole = "\(type)"
    return String(whole.prefix { $0 != "<" }.split(separator: ".").last ?? "")
  }

  static func unsupportedExpression(_ type: Any.Type) -> PredicateProblem {
    PredicateProblem(
      "'\(name(type))' in a '#Predicate' can't become a query. Compute the value before the "
        + "predicate, or use 'filter { … }', which reads all objects.")
  }

  static func unsupportedKeyPath(_ output: Any.Type, of root: Any.Type) -> PredicateProblem {
    PredicateProblem(
      "A key path of '\(root)' with values of type '\(output)' can't become a query. Query "
        + "'@Persisted' properties, and 'count' and 'isEmpty' of collections.")
  }

  static func noCondition(_ type: Any.Type) -> PredicateProblem {
    PredicateProblem(
      "'\(name(type))' in a '#Predicate' is no condition. Compare it with a value, or write "
        + "'?? false' after a condition on an optional.")
  }

  static func noValue(_ type: Any.Type) -> PredicateProblem {
    PredicateProblem(
      "'\(name(type))' in a '#Predicate' can't be a value here. Use a property or a constant.")
  }

  static var comparedConstants: PredicateProblem {
    PredicateProblem(
      "Two constants are compared in a '#Predicate'. Compare them before it, or compare one of them "
        + "with a property.")
  }

  static var severalConditionsOnValues: PredicateProblem {
    PredicateProblem(
      "'contains { … }' and 'allSatisfy { … }' of a collection of values take one comparison of the "
        + "element in a '#Predicate'. Use one of them for each comparison.")
  }

  static var filteredValues: PredicateProblem {
    PredicateProblem(
      "'filter { … }' in a '#Predicate' is for collections of objects. Use 'contains { … }' or "
        + "'allSatisfy { … }' for values.")
  }
}
