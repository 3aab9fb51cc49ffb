import StrataQuery

#if canImport(Darwin)
  import Foundation
  import StrataSchema

  /// A reader of the comparisons that Foundation creates from format strings on Apple platforms.
  struct PredicateReader {
    /// The number of enclosing predicates and expressions.
    let depth: Int

    func condition(
      _ predicate: NSComparisonPredicate
    ) throws(PredicateProblem) -> QueryPredicate {
      var options: QueryOptions = []
      if predicate.options.contains(.caseInsensitive) { options.insert(.caseInsensitive) }
      if predicate.options.contains(.diacriticInsensitive) {
        options.insert(.diacriticInsensitive)
      }
      let quantifier: QueryQuantifier?
      switch predicate.comparisonPredicateModifier {
      case .direct: quantifier = nil
      case .any: quantifier = .any
      case .all: quantifier = .all
      @unknown default: throw .unreadable
      }
      return .comparison(
        QueryComparison(
          try operand(predicate.leftExpression),
          try comparisonOperator(predicate.predicateOperatorType),
          try operand(predicate.rightExpression), options: options, quantifier: quantifier))
    }

    private func comparisonOperator(
      _ type: NSComparisonPredicate.Operator
    ) throws(PredicateProblem) -> QueryOperator {
      switch type {
      case .lessThan: return .less
      case .lessThanOrEqualTo: return .lessOrEqual
      case .greaterThan: return .greater
      case .greaterThanOrEqualTo: return .greaterOrEqual
      case .equalTo: return .equal
      case .notEqualTo: return .notEqual
      case .like: return .like
      case .beginsWith: return .beginsWith
      case .endsWith: return .endsWith
      case .in: return .in
      case .contains: return .contains
      case .between: return .between
      case .matches: throw .matches()
      case .customSelector: throw .unreadable
      @unknown default: throw .unreadable
      }
    }

    // MARK: - Expressions

    private func operand(_ expression: NSExpression) throws(PredicateProblem) -> QueryOperand {
      switch expression.expressionType {
      case .constantValue: return QueryOperand(argument: expression.constantValue)
      case .aggregate: return .list(try constants(expression))
      case .function where isCount(of: expression):
        return .subquery(try subquery(expression.operand))
      default: return .path(try path(expression))
      }
    }

    private func constants(_ list: NSExpression) throws(PredicateProblem) -> [QueryValue] {
      guard let members = list.collection as? [Any] else { throw .unreadable }
      var values: [QueryValue] = []
      for member in members {
        guard let member = member as? NSExpression else {
          values.append(QueryValue(member))
          continue
        }
        guard member.expressionType == .constantValue else { throw .listMember() }
        values.append(QueryValue(member.constantValue))
      }
      return values
    }

    private func path(_ expression: NSExpression) throws(PredicateProblem) -> QueryPath {
      guard depth <= QueryDepth.maxDepth else { throw .tooDeep(QueryDepth.maxDepth) }
      let inner = PredicateReader(depth: depth + 1)
      switch expression.expressionType {
      case .evaluatedObject: return QueryPath([])
      case .variable: return QueryPath([], variable: expression.variable)
      case .keyPath: return try QueryPath(named: expression.keyPath)
      case .function where expression.function == "valueForKeyPath:":
        guard let names = expression.arguments?.first else { throw .unreadable }
        var path = try inner.path(expression.operand)
        path.parts += try QueryPath(named: Self.text(of: names)).parts
        return path
      case .function where expression.function == "objectFrom:withIndex:":
        guard let arguments = expression.arguments, arguments.count == 2 else { throw .unreadable }
        var path = try inner.path(arguments[0])
        guard arguments[1].expressionType == .constantValue else {
          throw .unsupportedSubscript(arguments[1].description, of: path)
        }
        switch QueryValue(arguments[1].constantValue) {
        case .string(let key): path.parts.append(.key(key))
        case .int(let index) where index >= 0: path.parts.append(.index(Int(index)))
        default: throw .unsupportedSubscript(arguments[1].description, of: path)
        }
        return path
      case .function: throw .unsupportedFunction(expression.function)
      case .subquery: throw .subqueryWithoutCount
      default: throw .unreadable
      }
    }

    /// Returns whether the expression is `SUBQUERY(…).@count`.
    private func isCount(of expression: NSExpression) -> Bool {
      guard expression.function == "valueForKeyPath:",
        expression.operand.expressionType == .subquery,
        let names = expression.arguments?.first
      else { return false }
      return Self.text(of: names) == QueryAggregate.count.rawValue
    }

    /// Returns the names that follow an operand, from a kind of expression without a public name.
    private static func text(of names: NSExpression) -> String {
      guard names.expressionType == .constantValue else { return names.keyPath }
      return names.constantValue as? String ?? ""
    }

    private func subquery(
      _ expression: NSExpression
    ) throws(PredicateProblem) -> QuerySubquery {
      guard let collection = expression.collection as? NSExpression else { throw .unreadable }
      let inner = PredicateReader(depth: depth + 1)
      return QuerySubquery(
        try inner.path(collection), expression.variable,
        try QueryPredicate.reading(expression.predicate, depth: depth + 1))
    }
  }
#endif
