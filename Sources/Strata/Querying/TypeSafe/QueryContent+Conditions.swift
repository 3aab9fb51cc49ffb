import StrataQuery

extension QueryContent {
  /// Both conditions.
  func and(_ other: QueryContent) -> QueryContent {
    if case .comparisons(let conditions) = term, case .comparisons(let others) = other.term {
      return nested(.comparisons(conditions.and(others)), collections: [], inside: other.depth)
    }
    let (first, second) = (predicate, other.predicate)
    return combined(.and(first.chain(with: second, first.conjuncts, second.conjuncts)), other)
  }

  /// One of the conditions, or both.
  func or(_ other: QueryContent) -> QueryContent {
    let (first, second) = (predicate, other.predicate)
    return combined(.or(first.chain(with: second, first.disjuncts, second.disjuncts)), other)
  }

  private func combined(_ predicate: QueryPredicate, _ other: QueryContent) -> QueryContent {
    nested(
      .condition(predicate), collections: joined(with: other.collections), inside: other.depth)
  }

  /// The opposite of the condition.
  var negated: QueryContent {
    if case .not(let predicate) = predicate {
      return QueryContent(.condition(predicate), collections: collections, depth: depth)
    }
    return nested(.condition(.not(predicate)), collections: collections)
  }

  /// A condition with this one inside.
  private func nested(
    _ condition: Term, collections: [QueryPath], inside other: Int = 0
  ) -> QueryContent {
    // A chain of one operator is as deep as its parts.
    let depth = Swift.max(depth + (isChain(like: condition) ? 0 : 1), other + 1)
    guard depth <= QueryDepth.most else { return .invalid(.tooDeep(QueryDepth.most)) }
    return QueryContent(condition, collections: collections, depth: depth)
  }

  private func isChain(like condition: Term) -> Bool {
    switch (term, condition) {
    case (.condition(.and), .condition(.and)), (.condition(.or), .condition(.or)): true
    case (.comparisons(let conditions), .condition(.and)),
      (.comparisons(let conditions), .comparisons):
      conditions.count > 1
    default: false
    }
  }
}

extension QueryPredicate {
  /// The parts of a chain of two conditions, which may be such chains themselves.
  fileprivate func chain(
    with other: QueryPredicate, _ parts: [QueryPredicate]?, _ others: [QueryPredicate]?
  ) -> [QueryPredicate] {
    if parts == nil, others == nil { return [self, other] }
    return (parts ?? [self]) + (others ?? [other])
  }

  fileprivate var conjuncts: [QueryPredicate]? {
    if case .and(let parts) = self { parts } else { nil }
  }

  fileprivate var disjuncts: [QueryPredicate]? {
    if case .or(let parts) = self { parts } else { nil }
  }
}
