import StrataSchema

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
