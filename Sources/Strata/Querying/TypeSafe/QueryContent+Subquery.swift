import StrataQuery

extension QueryContent {
  /// The number of elements of the condition's collection for which it is true.
  var subqueryCount: QueryContent {
    let predicate = predicate
    let first = collections.filter { path in
      !collections.contains { $0 != path && path.begins(with: $0) }
    }
    guard let collection = first.first else {
      return .invalid(predicate.problem ?? .noSubqueryCollection(predicate))
    }
    guard first.count == 1 else { return .invalid(.twoSubqueryCollections(first)) }
    let element = SubqueryElement(
      variable: "c\(depth + 1)", collection: collection, collections: collections)
    let subquery = QuerySubquery(collection, element.variable, element.condition(predicate))
    // Deeper than all conditions inside, so that each has a variable of its own.
    return QueryContent(.operand(.subquery(subquery)), depth: depth + 1)
  }
}

/// One element of a collection, and how a condition on its object becomes one on it.
private struct SubqueryElement {
  let variable: String
  let collection: QueryPath
  /// All collections on the paths of the condition.
  let collections: [QueryPath]

  func condition(_ predicate: QueryPredicate) -> QueryPredicate {
    switch predicate {
    case .constant, .invalid: return predicate
    case .and(let parts): return .and(parts.map(condition))
    case .or(let parts): return .or(parts.map(condition))
    case .not(let part): return .not(condition(part))
    case .comparison(var comparison):
      let isPlural = isPlural(comparison.left) || isPlural(comparison.right)
      comparison.left = operand(comparison.left)
      comparison.right = operand(comparison.right)
      if !isPlural { comparison.quantifier = nil }
      return .comparison(comparison)
    }
  }

  private func operand(_ operand: QueryOperand) -> QueryOperand {
    guard case .path(let path) = operand, concerns(path) else { return operand }
    var rest = path.parts.dropFirst(collection.parts.count)
    if rest.first == .values { rest.removeFirst() }
    return .path(QueryPath(Array(rest), variable: variable))
  }

  /// Whether a path leads through the element; not if all elements are computed to one value, and
  /// not to keys of a map and the value of one.
  private func concerns(_ path: QueryPath) -> Bool {
    guard path.begins(with: collection) else { return false }
    return switch path.parts.dropFirst(collection.parts.count).first {
    case .operation?, .key?, .keys?, .index?, .any?: false
    case .property?, .values?, .invalid?, nil: true
    }
  }

  /// Whether a path leads through a collection, other than to its element here.
  private func isPlural(_ operand: QueryOperand) -> Bool {
    guard case .path(let path) = operand, !path.hasOperation else { return false }
    return collections.contains { other in
      path.begins(with: other) && !path.hasKey(other)
        && !(other == collection && concerns(path))
    }
  }
}

extension QueryPath {
  /// Whether this path takes the value of one key of a map that it leads through.
  fileprivate func hasKey(_ map: QueryPath) -> Bool {
    guard parts.indices.contains(map.parts.count) else { return false }
    if case .key = parts[map.parts.count] { return true }
    return false
  }
}
