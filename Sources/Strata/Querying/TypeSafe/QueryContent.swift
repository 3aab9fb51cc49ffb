import StrataQuery

/// The content of a ``Query``: an operand such as `$0.dog.name`, or a condition.
///
/// Besides the tree it knows which parts of its paths are collections, which the names don't tell.
struct QueryContent: Sendable {
  enum Term: Sendable {
    case operand(QueryOperand)
    case condition(QueryPredicate)
    /// A condition without its tree, which is made where it is needed.
    case comparisons(PropertyConditions)
  }

  var term: Term
  /// The ways to the collections on the paths of the term, without those whose elements are
  /// computed to one value.
  var collections: [QueryPath]
  /// How many conditions are inside of each other.
  var depth = 0

  init(_ term: Term, collections: [QueryPath] = [], depth: Int = 0) {
    self.term = term
    self.collections = collections
    self.depth = depth
  }

  /// The object, or the element, that is asked about.
  static let element = QueryContent(.operand(.path(QueryPath([]))))

  /// A term that can't be expressed.
  static func invalid(_ problem: PredicateProblem) -> QueryContent {
    QueryContent(.condition(.invalid(problem)))
  }

  /// Whether it is true if it is so for any element of a collection.
  var isPlural: Bool {
    guard !collections.isEmpty, case .operand(.path(let path)) = term else { return false }
    return !path.hasOperation
  }

  /// The condition; of a `Bool` property that is used alone, that it is true.
  var predicate: QueryPredicate {
    switch term {
    case .condition(let predicate): predicate
    case .comparisons(let conditions): conditions.predicate
    case .operand(let operand):
      .comparison(
        QueryComparison(
          operand, .equal, .value(.bool(true)), quantifier: isPlural ? .any : nil))
    }
  }

  /// A comparison of this operand with another one, or with constants.
  func compared(
    _ operator: QueryOperator, _ other: QueryContent, options: QueryOptions = QueryOptions()
  ) -> QueryContent {
    guard case .operand(let left) = term, case .operand(let right) = other.term else {
      return .invalid(
        predicate.problem ?? other.predicate.problem ?? .comparedCondition)
    }
    if isPlural, other.isPlural { return .invalid(.comparedCollections(left, right)) }
    let comparison = QueryComparison(
      left, `operator`, right, options: options,
      quantifier: isPlural || other.isPlural ? .any : nil)
    return QueryContent(
      .condition(.comparison(comparison)), collections: joined(with: other.collections),
      depth: Swift.max(depth, other.depth))
  }

  /// A comparison of this operand with a constant.
  func compared(
    _ operator: QueryOperator, _ value: QueryValue, options: QueryOptions = QueryOptions()
  ) -> QueryContent {
    if options.isEmpty, collections.isEmpty, case .operand(.path(let path)) = term,
      let conditions = PropertyConditions(path, `operator`, value)
    {
      return QueryContent(.comparisons(conditions))
    }
    return compared(`operator`, .value(value), options: options)
  }

  /// A comparison of this operand with constants.
  func compared(
    _ operator: QueryOperator, _ value: QueryOperand, options: QueryOptions = QueryOptions()
  ) -> QueryContent {
    compared(`operator`, QueryContent(.operand(value)), options: options)
  }

  /// The collections of this term, and others that are not among them.
  func joined(with others: [QueryPath]) -> [QueryPath] {
    if others.isEmpty { return collections }
    return collections + others.filter { !collections.contains($0) }
  }
}

extension QueryPredicate {
  /// The problem of a condition that can't be expressed.
  var problem: PredicateProblem? {
    if case .invalid(let problem) = self { problem } else { nil }
  }
}

extension QueryPath {
  /// Whether the elements of a collection are computed to one value.
  var hasOperation: Bool {
    parts.contains { if case .operation = $0 { true } else { false } }
  }

  /// Whether this path begins with another one.
  func begins(with other: QueryPath) -> Bool {
    variable == other.variable && parts.starts(with: other.parts)
  }
}
