import StrataSchema

/// The finder of the property by which objects are sorted, made distinct, or read: `name`,
/// `dog.name`, `scores['math']`.
package struct OrderPathResolver: Sendable {
  private let schema: QuerySchema
  /// The purpose of the property: `sort`, `distinct` or `read values`.
  private let verb: String
  private let needsOrder: Bool

  package init(_ schema: QuerySchema, verb: String, needsOrder: Bool = true) {
    self.schema = schema
    self.verb = verb
    self.needsOrder = needsOrder
  }

  /// - Throws: ``PredicateProblem`` for a path that doesn't lead to a single value with an order.
  package func resolve(
    _ keyPath: String, of queryClass: QueryClass
  ) throws(PredicateProblem) -> ResolvedPath {
    if keyPath == "self", verb == "distinct" {
      return ResolvedPath(depth: 0, steps: [], target: .object(className: queryClass.name))
    }
    let parts = try parts(keyPath)
    var current = queryClass
    for case .property(let name) in parts {
      guard let property = current[name] else {
        let known = current.propertyNames
        throw problem(
          keyPath, "property '\(current.name).\(name)' does not exist.",
          "It has: \(known.joined(separator: ", "))."
            + (NearName.of(name, in: known).map { " Did you mean '\($0)'?" } ?? ""))
      }
      guard let next = property.property.objectClassName.flatMap({ schema[$0] }) else { break }
      current = next
    }
    let paths = PathResolver(
      schema: schema, scopes: [.init(variable: nil, root: .object(queryClass))])
    guard case .path(let path) = try paths.resolve(QueryPath(parts)) else {
      throw problem(keyPath, "KVC collection operators are not supported.")
    }
    try check(path, keyPath)
    return path
  }

  private func check(_ path: ResolvedPath, _ keyPath: String) throws(PredicateProblem) {
    guard !path.hasCollection else {
      throw unsupported(keyPath, path.steps.first { !$0.isLink }?.shown ?? path.lastProperty)
    }
    guard let property = path.lastProperty else {
      throw problem(keyPath, "missing property name.")
    }
    if case .property = path.target, property.isLink {
      throw problem(
        keyPath,
        "property '\(property.className).\(property.property.name)' of type 'object' cannot be the "
          + "final property in the key path.", "Name one of the object's properties.")
    }
    guard property.type != .data || !needsOrder, property.type != .object else {
      throw unsupported(keyPath, property)
    }
  }

  private func unsupported(_ keyPath: String, _ property: QueryProperty?) -> PredicateProblem {
    guard let property else { return problem(keyPath, "missing property name.") }
    return problem(
      keyPath,
      "property '\(property.className).\(property.property.name)' is of unsupported type "
        + "'\(property.property.typeName)'.", "Name a property with a single value.")
  }

  private func problem(
    _ keyPath: String, _ text: String, _ repair: String = ""
  ) -> PredicateProblem {
    PredicateProblem(
      "Cannot \(verb) on key path '\(keyPath)': \(text)" + (repair.isEmpty ? "" : " \(repair)"))
  }

  /// Returns the names of a path, and the key of a map: `scores['math']`.
  private func parts(_ keyPath: String) throws(PredicateProblem) -> [QueryPart] {
    // The key of a map may contain points, so it is removed first.
    guard keyPath.hasSuffix("]"), let open = keyPath.firstIndex(of: "[") else {
      return try names(of: keyPath, in: keyPath)
    }
    let quoted = keyPath[keyPath.index(after: open)...].dropLast()
    guard quoted.count >= 2, let quote = quoted.first, quote == "'" || quote == "\"",
      quoted.last == quote
    else { throw problem(keyPath, "a key of a map must be between quotation marks.") }
    return try names(of: String(keyPath[..<open]), in: keyPath)
      + [.key(String(quoted.dropFirst().dropLast()))]
  }

  private func names(
    of path: String, in keyPath: String
  ) throws(PredicateProblem) -> [QueryPart] {
    var parts: [QueryPart] = []
    for name in path.split(separator: ".", omittingEmptySubsequences: false) {
      guard !name.isEmpty else { throw problem(keyPath, "missing property name.") }
      guard !name.hasPrefix("@") else {
        throw problem(keyPath, "KVC collection operators are not supported.")
      }
      parts.append(.property(String(name)))
    }
    return parts
  }
}

extension ResolvedStep {
  /// The property in the path: for linking objects, the property that shows them.
  fileprivate var shown: QueryProperty {
    if case .owners(_, _, let shown) = self { shown } else { property }
  }
}

extension ResolvedPath {
  /// The names of the properties on the path to the value.
  package var propertyNames: [String] {
    (steps.map(\.property) + [lastProperty].compactMap { $0 }).map(\.property.name)
  }

  /// The property that contains the value.
  fileprivate var lastProperty: QueryProperty? {
    switch target {
    case .property(let property), .element(let property), .keys(let property),
      .mapValue(let property, _):
      property
    case .object: steps.last?.property
    case .point(_, let coordinates): coordinates
    case .value: nil
    }
  }
}
