import StrataQuery

extension QueryContent {
  /// Both conditions.
  func and(_ other: QueryContent) -> QueryContent {
    var parts = predicate.parts(of: \.conjuncts)
    parts += other.predicate.parts(of: \.conjuncts)
    return combined(.and(parts), other)
  }

  /// One of the conditions, or both.
  func or(_ other: QueryContent) -> QueryContent {
    var parts = predicate.parts(of: \.disjuncts)
    parts += other.predicate.parts(of: \.disjuncts)
    return combined(.or(parts), other)
  }

  private func combined(_ predicate: QueryPredicate, _ other: QueryContent) -> QueryContent {
    nested(predicate, collections: joined(with: other.collections), inside: other.depth)
  }

  /// The opposite of the condition.
  var negated: QueryContent {
    if case .not(let predicate) = predicate {
      return QueryContent(.condition(predicate), collections: collections, depth: depth)
    }
    return nested(.not(predicate), collections: collections)
  }

  /// A condition with this one inside.
  private func nested(
    _ predicate: QueryPredicate, collections: [QueryPath], inside other: Int = 0
  ) -> QueryContent {
    // A chain of one operator is as deep as its parts.
    let depth = Swift.max(depth + (isChain(like: predicate) ? 0 : 1), other + 1)
    guard depth <= QueryDepth.most else { return .invalid(.tooDeep(QueryDepth.most)) }
    return QueryContent(.condition(predicate), collections: collections, depth: depth)
  }

  private func isChain(like predicate: QueryPredicate) -> Bool {
    switch (term, predicate) {
    case (.condition(.and), .and), (.condition(.or), .or): true
    default: false
    }
  }
}

extension QueryPredicate {
  fileprivate func parts(of chain: KeyPath<QueryPredicate, [QueryPredicate]?>) -> [QueryPredicate] {
    self[keyPath: chain] ?? [self]
  }

  fileprivate var conjuncts: [QueryPredicate]? {
    if case .and(let parts) = self { parts } else { nil }
  }

  fileprivate var disjuncts: [QueryPredicate]? {
    if case .or(let parts) = self { parts } else { nil }
  }
}
