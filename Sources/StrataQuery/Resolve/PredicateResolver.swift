package import StrataSchema

/// The resolver of a condition for a schema, before anything is read.
///
/// The names must exist, and operators and constants must fit the types. A resolved condition is
/// valid for any file with this schema.
package struct PredicateResolver: Sendable {
  private let schema: QuerySchema
  /// The open file: constants that are objects must belong to it.
  private let file: ObjectIdentifier?

  package init(_ schema: QuerySchema, file: ObjectIdentifier? = nil) {
    self.schema = schema
    self.file = file
  }

  /// Resolves a condition on the objects of a class.
  package func resolve(
    _ predicate: QueryPredicate, ofObjects queryClass: QueryClass
  ) throws(PredicateProblem) -> ResolvedPredicate {
    try resolve(predicate, at: .object(queryClass))
  }

  /// Resolves a condition on values, which the condition calls `SELF`.
  package func resolve(
    _ predicate: QueryPredicate, ofValues type: PropertyType, allowsNil: Bool
  ) throws(PredicateProblem) -> ResolvedPredicate {
    try resolve(predicate, at: .value(type, allowsNil: allowsNil))
  }

  private func resolve(
    _ predicate: QueryPredicate, at root: PathResolver.Root
  ) throws(PredicateProblem) -> ResolvedPredicate {
    let paths = PathResolver(schema: schema, scopes: [.init(variable: nil, root: root)])
    return try resolve(predicate, paths, depth: 0)
  }

  /// Resolves the path of a property for sorting or for distinct values.
  package func resolve(
    path: QueryPath, ofObjects queryClass: QueryClass
  ) throws(PredicateProblem) -> ResolvedPath? {
    let paths = PathResolver(
      schema: schema, scopes: [.init(variable: nil, root: .object(queryClass))])
    guard case .path(let resolved) = try paths.resolve(path) else { return nil }
    return resolved
  }

  private func resolve(
    _ predicate: QueryPredicate, _ paths: PathResolver, depth: Int
  ) throws(PredicateProblem) -> ResolvedPredicate {
    guard depth <= QueryDepth.maxDepth else { throw .tooDeep(QueryDepth.maxDepth) }
    switch predicate {
    case .constant(let value): return .constant(value)
    case .invalid(let problem): throw problem
    case .and(let parts):
      let resolved = try resolve(parts, paths, depth: depth)
      return .and(resolved.flatMap { if case .and(let inner) = $0 { inner } else { [$0] } })
    case .or(let parts):
      let resolved = try resolve(parts, paths, depth: depth)
      return .or(resolved.flatMap { if case .or(let inner) = $0 { inner } else { [$0] } })
    case .not(let part):
      let resolved = try resolve(part, paths, depth: depth + 1)
      if case .not(let inner) = resolved { return inner }
      return .not(resolved)
    case .comparison(let comparison): return try resolve(comparison, paths, depth: depth)
    }
  }

  private func resolve(
    _ parts: [QueryPredicate], _ paths: PathResolver, depth: Int
  ) throws(PredicateProblem) -> [ResolvedPredicate] {
    var resolved: [ResolvedPredicate] = []
    resolved.reserveCapacity(parts.count)
    for part in parts { resolved.append(try resolve(part, paths, depth: depth + 1)) }
    return resolved
  }

  // MARK: Comparisons

  private func resolve(
    _ comparison: QueryComparison, _ paths: PathResolver, depth: Int
  ) throws(PredicateProblem) -> ResolvedPredicate {
    let comparison = try comparison.facingLeft()
    try comparison.checkOptions()
    if let shape = comparison.shape { return try resolve(comparison, in: shape, paths) }
    if let condition = try MemberwiseEquality(comparison)?.condition(paths) {
      return try resolve(condition, paths, depth: depth + 1)
    }
    let left = try operand(comparison.left, paths, depth: depth)
    let right = try operand(comparison.right, paths, depth: depth)
    // `name IN tags` is true for any of the tags.
    if comparison.operator == .in, case .path(let path) = right, path.hasCollection,
      comparison.quantifier == nil
    {
      var turned = comparison
      (turned.left, turned.right) = (comparison.right, comparison.left)
      turned.operator = .equal
      turned.quantifier = .any
      return try ComparisonResolver(turned, right, left, file).resolve()
    }
    return try ComparisonResolver(comparison, left, right, file).resolve()
  }

  /// Resolves a condition on the point that an embedded object represents.
  private func resolve(
    _ comparison: QueryComparison, in shape: GeoShape, _ paths: PathResolver
  ) throws(PredicateProblem) -> ResolvedPredicate {
    var comparison = comparison
    comparison.operator = .geoWithin
    try comparison.checkOptions()
    guard case .path(let path) = comparison.left, case .path(let resolved) = try paths.resolve(path)
    else { throw .notPoints(comparison) }
    let points = try resolved.leadingToPoints(in: schema, comparison)
    if let problem = shape.problem { throw .invalidRegion(shape, problem) }
    return try ComparisonResolver(comparison, .path(points), .value(.shape(shape)), file).resolve()
  }

  private func operand(
    _ operand: QueryOperand, _ paths: PathResolver, depth: Int
  ) throws(PredicateProblem) -> ComparisonResolver.Operand {
    switch operand {
    case .value(let value): return .value(value)
    case .list(let values): return .list(values)
    case .path(let path):
      switch try paths.resolve(path) {
      case .path(let path): return .path(path)
      case .aggregate(let aggregate): return .aggregate(aggregate)
      }
    case .subquery(let subquery):
      guard case .path(let path) = try paths.resolve(subquery.collection),
        let className = path.className, path.hasCollection, let elements = schema[className]
      else { throw .subqueryOfNoObjects(subquery.collection) }
      var inner = paths
      inner.scopes.append(.init(variable: subquery.variable, root: .object(elements)))
      return .count(path, of: elements, try resolve(subquery.predicate, inner, depth: depth + 1))
    }
  }
}

extension QueryComparison {
  /// Returns the same comparison with the path on its left side.
  fileprivate func facingLeft() throws(PredicateProblem) -> QueryComparison {
    guard left.isConstant else { return self }
    guard !right.isConstant else { throw .noPath }
    var turned = self
    (turned.left, turned.right) = (right, left)
    switch self.operator {
    case .equal, .notEqual: break
    case .less: turned.operator = .greater
    case .lessOrEqual: turned.operator = .greaterOrEqual
    case .greater: turned.operator = .less
    case .greaterOrEqual: turned.operator = .lessOrEqual
    case .in:
      turned.operator = .equal
      turned.quantifier = quantifier ?? .any
    case .contains, .beginsWith, .endsWith, .like, .between, .text, .geoWithin:
      throw .pathMustBeLeft(self.operator)
    }
    return turned
  }

  fileprivate func checkOptions() throws(PredicateProblem) {
    guard !options.isEmpty else { return }
    switch self.operator {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: throw .orderIgnoringCase
    case .text: throw .textWithOptions
    case .geoWithin: throw .geoWithinWithOptions
    case .like where options.contains(.diacriticInsensitive): throw .likeIgnoringDiacritics
    default: break
    }
  }
}

extension QueryComparison {
  /// The area in a condition `location IN %@`, which means the same as `GEOWITHIN`.
  fileprivate var shape: GeoShape? {
    guard self.operator == .in || self.operator == .geoWithin,
      case .value(.shape(let shape)) = right
    else { return nil }
    return shape
  }
}

extension QueryOperand {
  fileprivate var isConstant: Bool {
    switch self {
    case .value, .list: true
    case .path, .subquery: false
    }
  }
}
