import Foundation
import StrataQuery

/// The meaning of a part of a `#Predicate`.
indirect enum PredicateFragment {
  case operand(QueryOperand)
  case condition(QueryPredicate)
  /// A condition on the object of a link: nil where the link is.
  case ofLink(QueryPath, QueryPredicate)
  /// A value, and what is taken in its place where it is nil.
  case defaulted(QueryPath, QueryOperand)
  /// The elements of a collection for which a condition is true.
  case elements(QuerySubquery)
  case range(PredicateRange)
}

/// A range; without a bound it has no end there.
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

/// A kind of expression in Foundation's predicates that a file can answer.
protocol ReadableExpression {
  func fragment(in walk: inout PredicateWalk) throws(PredicateProblem) -> PredicateFragment
}

/// The state of walking through a `#Predicate`.
struct PredicateWalk {
  /// What the variables are: the object that is asked about, elements, the objects of links.
  private var paths: [PredicateExpressions.VariableID: QueryPath] = [:]
  private var variableCount = 0
  private var depth = 0

  /// The path that a variable stands for.
  subscript(variable: PredicateExpressions.VariableID) -> QueryPath? {
    get { paths[variable] }
    set { paths[variable] = newValue }
  }

  /// Makes a variable stand for the elements of a collection; the name that it gets.
  mutating func addElement(_ variable: PredicateExpressions.VariableID) -> String {
    variableCount += 1
    let name = "element\(variableCount)"
    paths[variable] = QueryPath([], variable: name)
    return name
  }

  mutating func fragment(
    _ expression: any PredicateExpression
  ) throws(PredicateProblem) -> PredicateFragment {
    guard depth < QueryDepth.most else { throw .tooDeep(QueryDepth.most) }
    guard let readable = expression as? any ReadableExpression else {
      throw .unsupportedExpression(type(of: expression))
    }
    depth += 1
    defer { depth -= 1 }
    return try readable.fragment(in: &self)
  }

  /// The condition that an expression is.
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

  /// The operand that an expression is.
  mutating func operand(
    _ expression: any PredicateExpression
  ) throws(PredicateProblem) -> QueryOperand {
    guard case .operand(let operand) = try fragment(expression) else {
      throw .noValue(type(of: expression))
    }
    return operand
  }

  /// The path that an expression is.
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
      let isNil = QueryPredicate.comparison(
        QueryComparison(.path(path), .equal, .value(.null)))
      return .or([
        .and([
          .not(isNil), try compared(.operand(.path(path)), `operator`, right),
        ]),
        .and([isNil, try compared(.operand(value), `operator`, right)]),
      ])
    case (.operand, .defaulted): return try compared(right, `operator`.exchanged, left)
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
  /// The operator with its sides exchanged.
  fileprivate var exchanged: QueryOperator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }

  /// Whether a comparison of two constants of the same simple type is true; nil for others.
  fileprivate func holds(_ first: QueryValue, _ second: QueryValue) -> Bool? {
    switch (first, second) {
    case (.int(let first), .int(let second)): holds(first, second)
    case (.double(let first), .double(let second)): holds(first, second)
    case (.float(let first), .float(let second)): holds(first, second)
    case (.string(let first), .string(let second)): holds(Bytes(first), Bytes(second))
    case (.date(let first), .date(let second)): holds(Bytes(first), Bytes(second))
    case (.bool(let first), .bool(let second)): holds(first ? 1 : 0, second ? 1 : 0)
    case (.null, .null): self == .equal
    case (.null, _), (_, .null): self == .notEqual
    default: nil
    }
  }

  private func holds<Value: Comparable>(_ first: Value, _ second: Value) -> Bool? {
    switch self {
    case .equal: first == second
    case .notEqual: first != second
    case .less: first < second
    case .lessOrEqual: first <= second
    case .greater: first > second
    case .greaterOrEqual: first >= second
    default: nil
    }
  }

  /// A text in the order of its bytes.
  private struct Bytes: Comparable {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    static func < (first: Bytes, second: Bytes) -> Bool {
      first.bytes.lexicographicallyPrecedes(second.bytes)
    }
  }
}
