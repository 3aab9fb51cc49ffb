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
      return try ComparisonResolver(comparison: turned, left: right, right: left, file: file)
        .resolve()
    }
    return try ComparisonResolver(comparison: comparison, left: left, right: right, file: file)
      .resolve()
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
    return try ComparisonResolver(
      comparison: comparison, left: .path(points), right: .value(.shape(shape)), file: file
    ).resolve()
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
    if self.operator == .in {
      turned.operator = .equal
      turned.quantifier = quantifier ?? .any
    } else {
      guard let exchanged = self.operator.exchanged else { throw .pathMustBeLeft(self.operator) }
      turned.operator = exchanged
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

/// A comparison of links with values that are stored as embedded objects. Values with equal members
/// are equal.
///
/// The condition concerns a single object. For collections a `SUBQUERY` is used, so that all
/// members belong to one element.
struct MemberwiseEquality {
  private let comparison: QueryComparison
  private let members: [QueryMembers]
  /// The other values of a list, without nil.
  private let others: [QueryValue]
  private let hasNull: Bool

  /// The name of an element, which no text can contain.
  private static let variable = "#element"

  /// Returns nil for every other comparison.
  ///
  /// - Parameter comparison: A comparison with the path on its left side.
  init?(_ comparison: QueryComparison) {
    let values: [QueryValue]
    switch (comparison.operator, comparison.right) {
    case (.equal, .value(let value)), (.notEqual, .value(let value)): values = [value]
    case (.in, .list(let list)): values = list
    default: return nil
    }
    members = values.compactMap { if case .members(let members) = $0 { members } else { nil } }
    guard !members.isEmpty, comparison.options.isEmpty else { return nil }
    hasNull = values.contains(.null)
    others = values.filter { $0 != .null && !$0.isMembers }
    self.comparison = comparison
  }

  /// Returns the condition that replaces the comparison; nil if the path doesn't lead to objects.
  func condition(_ paths: PathResolver) throws(PredicateProblem) -> QueryPredicate? {
    guard case .path(let path) = comparison.left,
      case .path(let resolved) = try paths.resolve(path), let className = resolved.className
    else { return nil }
    if let other = members.first(where: { $0.className != className }) {
      throw .misfit(.members(other), comparison.left, resolved)
    }
    if hasNull, !resolved.allowsNil { throw .nilOfRequired(comparison.left, resolved) }
    guard resolved.hasCollection == (comparison.quantifier != nil) else {
      throw resolved.hasCollection
        ? .needsQuantifier(comparison) : .quantifierWithoutCollection(comparison)
    }
    // `ALL` means that there is no element for which the condition is false.
    let isNegated = (comparison.operator == .notEqual) != (comparison.quantifier == .all)
    let condition = try condition(on: path, paths, isNegated: isNegated)
    switch comparison.quantifier {
    case .no, .all: return .not(condition)
    case nil, .any: return condition
    }
  }

  /// Returns the condition on any of the objects that a path leads to.
  private func condition(
    on path: QueryPath, _ paths: PathResolver, isNegated: Bool
  ) throws(PredicateProblem) -> QueryPredicate {
    guard case .path(let resolved) = try paths.resolve(path) else { throw .noPath }
    guard let (collection, elements) = try firstCollection(on: path, resolved, paths) else {
      let equality = try equality(on: path, resolved, paths.schema)
      guard isNegated else { return equality }
      guard path.variable == Self.variable, path.parts.count > 1 else { return .not(equality) }
      // Elements with a nil link on the path are excluded, as in other comparisons.
      let way = QueryPath(path.parts.dropLast(), variable: path.variable)
      return .and([.not(way.isNull), .not(equality)])
    }
    var rest = path.parts.dropFirst(collection.parts.count)
    if rest.first == .values { rest.removeFirst() }
    var inner = paths
    inner.scopes.append(.init(variable: Self.variable, root: .object(elements)))
    let element = QueryPath(Array(rest), variable: Self.variable)
    let found = QuerySubquery(
      collection, Self.variable, try condition(on: element, inner, isNegated: isNegated))
    let isAny = QueryPredicate.comparison(
      QueryComparison(.subquery(found), .greater, .value(.int(0))))
    // A nil value of a map is no object, and no element of a subquery.
    guard rest.isEmpty, resolved.allowsNil, hasNull != isNegated else { return isAny }
    return .or([
      isAny, .comparison(QueryComparison(.path(path), .equal, .value(.null), quantifier: .any)),
    ])
  }

  /// Returns the beginning of a path that leads to a collection, and the class of its elements.
  private func firstCollection(
    on path: QueryPath, _ resolved: ResolvedPath, _ paths: PathResolver
  ) throws(PredicateProblem) -> (QueryPath, elements: QueryClass)? {
    guard resolved.hasCollection else { return nil }
    for count in 1...path.parts.count {
      let start = QueryPath(Array(path.parts.prefix(count)), variable: path.variable)
      if case .path(let resolved) = try paths.resolve(start), resolved.hasCollection {
        return resolved.className.flatMap { paths.schema[$0] }.map { (start, $0) }
      }
    }
    return nil
  }

  /// Returns the condition that a single object is equal to one of the values.
  private func equality(
    on path: QueryPath, _ resolved: ResolvedPath, _ schema: QuerySchema
  ) throws(PredicateProblem) -> QueryPredicate {
    var choices: [QueryPredicate] = []
    for value in members {
      guard let queryClass = schema[value.className] else {
        throw .missingClass(path, value.className)
      }
      var parts: [QueryPredicate] = resolved.allowsNil ? [.not(path.isNull)] : []
      var known = 0
      for name in queryClass.propertyNames {
        guard let property = queryClass[name], !property.property.isComputed else { continue }
        if let problem = PredicateProblem.memberwise(property) { throw problem }
        guard let member = value.values[property.property.columnName] else {
          throw .otherMembers(of: value.className)
        }
        known += 1
        var path = path
        path.parts.append(.property(name))
        parts.append(.comparison(QueryComparison(.path(path), .equal, .value(member))))
      }
      guard known == value.values.count else { throw .otherMembers(of: value.className) }
      choices.append(.and(parts))
    }
    if hasNull, resolved.allowsNil { choices.append(path.isNull) }
    if !others.isEmpty {
      choices.append(.comparison(QueryComparison(.path(path), .in, .list(others))))
    }
    return choices.count == 1 ? choices[0] : .or(choices)
  }
}

extension QueryPath {
  /// The condition that the value is nil.
  package var isNull: QueryPredicate {
    .comparison(QueryComparison(.path(self), .equal, .value(.null)))
  }
}

extension QueryValue {
  fileprivate var isMembers: Bool { if case .members = self { true } else { false } }
}

extension PredicateProblem {
  /// Returns the reason why objects can't be compared by a member; nil if they can.
  fileprivate static func memberwise(_ property: QueryProperty) -> PredicateProblem? {
    let reason: String
    if property.isCollection {
      reason = "equality on collections is not implemented."
    } else if property.type == .object {
      reason = "object links are not implemented."
    } else {
      return nil
    }
    return PredicateProblem(
      "Unsupported property '\(property.className).\(property.property.name)' for memberwise equality "
        + "query: \(reason) Compare the other properties one by one.")
  }

  /// Returns the problem of a class that the file was opened without, and whose properties differ
  /// between file and program.
  fileprivate static func otherMembers(of className: String) -> PredicateProblem {
    PredicateProblem(
      "A value that is kept as '\(className)' can't be compared: the class has other properties in "
        + "this file than in the program. Compare the properties of the file one by one.")
  }
}
