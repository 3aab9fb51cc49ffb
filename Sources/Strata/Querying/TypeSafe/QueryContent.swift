import StrataQuery

/// The content of a ``Query``: an operand such as `$0.dog.name`, or a condition.
///
/// Besides the tree, the content records which parts of its paths are collections, because the
/// names don't show this.
struct QueryContent: Sendable {
  enum Term: Sendable {
    case operand(QueryOperand)
    case condition(QueryPredicate)
  }

  var term: Term
  /// The paths to the collections of the term, without collections that an operation reduces to one
  /// value.
  var collections: [QueryPath]
  var depth = 0

  init(_ term: Term, collections: [QueryPath] = [], depth: Int = 0) {
    self.term = term
    self.collections = collections
    self.depth = depth
  }

  /// The queried object or element.
  static let element = QueryContent(.operand(.path(QueryPath([]))))

  /// A term that can't be expressed as a query.
  static func invalid(_ problem: PredicateProblem) -> QueryContent {
    QueryContent(.condition(.invalid(problem)))
  }

  /// Whether a condition on this operand is true if it is true for any element of a collection.
  var isPlural: Bool {
    guard !collections.isEmpty, case .operand(.path(let path)) = term else { return false }
    return !path.hasOperation
  }

  /// The condition. A `Bool` property that is used alone must be true.
  var predicate: QueryPredicate {
    switch term {
    case .condition(let predicate): predicate
    case .operand(let operand):
      .comparison(
        QueryComparison(
          operand, .equal, .value(.bool(true)), quantifier: isPlural ? .any : nil))
    }
  }

  /// Returns a comparison of this operand with another operand.
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

  /// Returns a comparison of this operand with a constant.
  func compared(
    _ operator: QueryOperator, _ value: QueryValue, options: QueryOptions = QueryOptions()
  ) -> QueryContent {
    compared(`operator`, .value(value), options: options)
  }

  /// Returns a comparison of this operand with constants.
  func compared(
    _ operator: QueryOperator, _ value: QueryOperand, options: QueryOptions = QueryOptions()
  ) -> QueryContent {
    compared(`operator`, QueryContent(.operand(value)), options: options)
  }

  /// Returns the collections of this term, followed by the others without duplicates.
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
  /// Whether an operation reduces the elements of a collection to one value.
  var hasOperation: Bool {
    parts.contains { if case .operation = $0 { true } else { false } }
  }

  func begins(with other: QueryPath) -> Bool {
    variable == other.variable && parts.starts(with: other.parts)
  }
}

extension QueryContent {
  /// Returns a condition that is true if both conditions are true.
  func and(_ other: QueryContent) -> QueryContent {
    let (first, second) = (predicate, other.predicate)
    return combined(.and(first.chain(with: second, first.conjuncts, second.conjuncts)), other)
  }

  /// Returns a condition that is true if at least one condition is true.
  func or(_ other: QueryContent) -> QueryContent {
    let (first, second) = (predicate, other.predicate)
    return combined(.or(first.chain(with: second, first.disjuncts, second.disjuncts)), other)
  }

  private func combined(_ predicate: QueryPredicate, _ other: QueryContent) -> QueryContent {
    nested(
      .condition(predicate), collections: joined(with: other.collections), inside: other.depth)
  }

  var negated: QueryContent {
    if case .not(let predicate) = predicate {
      return QueryContent(.condition(predicate), collections: collections, depth: depth)
    }
    return nested(.condition(.not(predicate)), collections: collections)
  }

  /// Returns a condition that contains this one.
  private func nested(
    _ condition: Term, collections: [QueryPath], inside other: Int = 0
  ) -> QueryContent {
    // A chain of one operator is only as deep as its parts.
    let depth = Swift.max(depth + (isChain(like: condition) ? 0 : 1), other + 1)
    guard depth <= QueryDepth.maxDepth else { return .invalid(.tooDeep(QueryDepth.maxDepth)) }
    return QueryContent(condition, collections: collections, depth: depth)
  }

  private func isChain(like condition: Term) -> Bool {
    switch (term, condition) {
    case (.condition(.and), .condition(.and)), (.condition(.or), .condition(.or)): true
    default: false
    }
  }
}

extension QueryPredicate {
  /// Returns the parts of a chain of two conditions, which may be chains of the same operator
  /// themselves.
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

extension QueryContent {
  /// The number of elements of the condition's collection that meet the condition.
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
    // Deeper than all nested conditions, so that each subquery has a variable of its own.
    return QueryContent(.operand(.subquery(subquery)), depth: depth + 1)
  }
}

/// An element of a collection. Turns a condition on the object into a condition on this element.
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

  /// Returns whether a path leads through the element. This isn't so if an operation reduces all
  /// elements to one value, or if the path leads to the keys of a map or to the value of one key.
  private func concerns(_ path: QueryPath) -> Bool {
    guard path.begins(with: collection) else { return false }
    return switch path.parts.dropFirst(collection.parts.count).first {
    case .operation?, .key?, .keys?, .index?, .any?: false
    case .property?, .values?, .invalid?, nil: true
    }
  }

  /// Returns whether a path leads through a collection, other than to this element.
  private func isPlural(_ operand: QueryOperand) -> Bool {
    guard case .path(let path) = operand, !path.hasOperation else { return false }
    return collections.contains { other in
      path.begins(with: other) && !path.hasKey(other)
        && !(other == collection && concerns(path))
    }
  }
}

extension QueryPath {
  /// Returns whether this path reads the value of one key of a map on the path.
  fileprivate func hasKey(_ map: QueryPath) -> Bool {
    guard parts.indices.contains(map.parts.count) else { return false }
    if case .key = parts[map.parts.count] { return true }
    return false
  }
}

extension QueryContent {
  /// Appends a property of this object, of the linked object, or of the objects of this collection.
  func following<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> QueryContent {
    let path = persistedPath(of: keyPath)
    if isObject, let operand = path?.operand { return QueryContent(.operand(operand)) }
    guard let property = path?.ownProperty else {
      let type = "\(Swift.type(of: keyPath).valueType)"
      return adding(.invalid(.computed(type, of: Root.className())))
    }
    return adding(.property(property.name), isCollection: property.hasManyValues)
  }

  /// Whether this is the queried object itself, and not one of its properties.
  private var isObject: Bool {
    guard collections.isEmpty, case .operand(.path(let path)) = term else { return false }
    return path.parts.isEmpty && path.variable == nil
  }

  func adding(_ part: QueryPart, isCollection: Bool = false) -> QueryContent {
    guard case .operand(.path(var path)) = term else { return invalid(at: part) }
    if case .key(let key)? = path.parts.last, !part.leadsIntoValue {
      return .invalid(.pathAfterKey(key))
    }
    path.parts.append(part)
    return QueryContent(
      .operand(.path(path)), collections: isCollection ? collections + [path] : collections)
  }

  /// Returns an invalid term: the existing problem, or the problem that a path can't follow a
  /// condition.
  private func invalid(at part: QueryPart) -> QueryContent {
    .invalid(predicate.problem ?? .noPath(for: part))
  }

  /// Applies an operation to the elements of this collection: `$0.tags.count`, `$0.scores.max`.
  func computing(_ operation: QueryAggregate) -> QueryContent {
    guard case .operand(.path(let path)) = term else {
      return invalid(at: .operation(operation))
    }
    return inserting(operation, into: path, at: path.parts.count)
  }

  /// Applies an operation to a property of the objects of the first collection on the path:
  /// `$0.dogs.age.avg`, `$0.company.staff.age.avg`.
  func computingProperty(_ operation: QueryAggregate) -> QueryContent {
    guard case .operand(.path(var path)) = term else {
      return invalid(at: .operation(operation))
    }
    guard let first = collections.first else { return computing(operation) }
    let position = first.parts.count
    // An operation on a map uses its values by default.
    if path.parts.indices.contains(position), path.parts[position] == .values {
      path.parts.remove(at: position)
    }
    return inserting(operation, into: path, at: position)
  }

  private func inserting(
    _ operation: QueryAggregate, into path: QueryPath, at position: Int
  ) -> QueryContent {
    var path = path
    path.parts.insert(.operation(operation), at: position)
    return QueryContent(
      .operand(.path(path)), collections: collections.filter { $0.parts.count < position })
  }

  func value(ofKey key: String) -> QueryContent {
    var content = adding(.key(key))
    // A single value instead of all values.
    if !content.collections.isEmpty { content.collections.removeLast() }
    return content
  }
}

extension QueryPart {
  /// Whether this is a step into a list or a dictionary of an `AnyRealmValue`.
  fileprivate var leadsIntoValue: Bool {
    switch self {
    case .key, .index, .any: true
    case .property, .operation, .keys, .values, .invalid: false
    }
  }
}
