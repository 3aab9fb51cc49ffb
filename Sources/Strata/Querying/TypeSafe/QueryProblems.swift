import StrataQuery

extension PredicateProblem {
  /// The problem of a key path that computes a value.
  static func computed(_ type: String, of className: String) -> PredicateProblem {
    PredicateProblem(
      "A key path of '\(className)' with values of type '\(type)' is no '@Persisted' property. "
        + "Query the properties that it is computed from.")
  }

  static func pathAfterKey(_ key: String) -> PredicateProblem {
    let sentence = "Cannot apply key path to Map subscripts."
    let repair = "Compare the object itself, or ask about the objects of all keys with 'values'."
    return PredicateProblem(
      "\(sentence) It was applied to the value of '\(key)'. \(repair)",
      logged: "\(sentence) \(repair)")
  }

  static func comparedCollections(
    _ left: QueryOperand, _ right: QueryOperand
  ) -> PredicateProblem {
    PredicateProblem(
      "Comparing two collection columns is not permitted. They are \(left.names) and "
        + "\(right.names): compare one of them with an aggregate of the other, such as 'max'.")
  }

  static func noSubqueryCollection(_ predicate: QueryPredicate) -> PredicateProblem {
    if predicate.hasKey {
      return PredicateProblem(
        "Subqueries do not support map subscripts. Use 'values' before '.count', and 'keys' in "
          + "a condition of its own.")
    }
    return PredicateProblem(
      "Subqueries must contain a keypath starting with a collection. Write the condition on a "
        + "property of a collection's objects before '.count': '($0.dogs.age > 3).count'.")
  }

  static func twoSubqueryCollections(_ collections: [QueryPath]) -> PredicateProblem {
    let names = collections.map { QueryOperand.path($0).names }.joined(separator: " and ")
    return PredicateProblem(
      "Subquery predicates will only work on one collection at a time, split your query up. They "
        + "are \(names): write '.count' behind each condition.")
  }

  /// The problem of an operand where a path is required.
  static func noPath(for part: QueryPart) -> PredicateProblem {
    PredicateProblem(
      "Cannot apply a keypath to a condition or a number of elements. Apply "
        + "\(QueryOperand.path(QueryPath([part])).names) to a property.")
  }

  static var comparedCondition: PredicateProblem {
    PredicateProblem(
      "A condition can't be compared. Combine conditions with '&&', '||' and '!'.")
  }

  static func tooDeep(_ limit: Int) -> PredicateProblem {
    PredicateProblem(
      "A condition has more than \(limit) conditions inside of each other. Combine more of them "
        + "with the same operator: a chain of '&&', or of '||', may have any length.")
  }
}

extension QueryOperand {
  /// The path as messages name it, in quotes.
  fileprivate var names: String {
    guard case .path(let path) = self else { return "a value" }
    let names = path.parts.map { part in
      switch part {
      case .property(let name): name
      case .operation(let operation): operation.rawValue
      case .keys: "@allKeys"
      case .values: "@allValues"
      case .key: "[key]"
      case .index(let index): "[\(index)]"
      case .any: "[ANY]"
      case .invalid: "?"
      }
    }
    return names.isEmpty ? "'SELF'" : "'\(names.joined(separator: "."))'"
  }
}

extension QueryPredicate {
  /// Whether a path reads the value of a key of a map. Recursive, up to the maximum depth of
  /// conditions.
  fileprivate var hasKey: Bool {
    switch self {
    case .constant, .invalid: false
    case .and(let parts), .or(let parts): parts.contains { $0.hasKey }
    case .not(let part): part.hasKey
    case .comparison(let comparison): comparison.left.hasKey || comparison.right.hasKey
    }
  }
}

extension QueryOperand {
  fileprivate var hasKey: Bool {
    guard case .path(let path) = self else { return false }
    return path.parts.contains { if case .key = $0 { true } else { false } }
  }
}
