import StrataSchema

/// The resolver of the names in a path.
struct PathResolver {
  /// The beginning of a path.
  enum Root {
    case object(QueryClass)
    case value(PropertyType, allowsNil: Bool)
  }

  /// An object in a condition: the object of the query, or the element of a subquery.
  struct Scope {
    /// The variable without `$`; nil for the outermost scope.
    var variable: String?
    var root: Root
  }

  let schema: QuerySchema
  var scopes: [Scope]

  /// The maximum number of parts of a path. SQLite joins at most 64 tables, and a condition may
  /// compare two paths.
  private static let maxParts = 30

  /// A path that ends at a value, or an operation on all its values.
  enum Result {
    case path(ResolvedPath)
    case aggregate(ResolvedAggregate)
  }

  func resolve(_ path: QueryPath) throws(PredicateProblem) -> Result {
    guard let depth = scopes.lastIndex(where: { $0.variable == path.variable }) else {
      throw .unknownVariable(path.variable ?? "")
    }
    var walk = Walk(path: path, schema: schema, depth: depth, root: scopes[depth].root)
    guard path.parts.count <= Self.maxParts else { throw .tooLong(path, Self.maxParts) }
    for (index, part) in path.parts.enumerated() { try walk.take(part, at: index) }
    return try walk.end()
  }
}

extension PathResolver {
  /// The state of walking along a path.
  private struct Walk {
    let path: QueryPath
    let schema: QuerySchema
    private var resolved: ResolvedPath
    private var operation: QueryAggregate?
    /// Whether the operation is on objects, so that one of their properties must follow.
    private var needsProperty = false

    init(path: QueryPath, schema: QuerySchema, depth: Int, root: Root) {
      self.path = path
      self.schema = schema
      let target: ResolvedTarget =
        switch root {
        case .object(let queryClass): .object(className: queryClass.name)
        case .value(let type, let allowsNil): .value(type, allowsNil: allowsNil)
        }
      resolved = ResolvedPath(depth: depth, steps: [], target: target)
    }

    mutating func take(_ part: QueryPart, at index: Int) throws(PredicateProblem) {
      if operation == .count { throw .mustEnd(path, QueryAggregate.count.rawValue) }
      switch part {
      case .invalid(let problem): throw problem
      case .property(let name): try follow(name)
      case .operation(let operation): try begin(operation)
      case .keys:
        resolved.target = .keys(try map("@allKeys"))
      case .values:
        _ = try map("@allValues")
      case .key(let key) where canStepInside: resolved.nested.append(.key(key))
      case .index(let position): try stepInside(.index(position), "\(position)", at: index)
      case .any: try stepInside(.any, "ANY", at: index)
      case .key(let key):
        guard case .element(let property) = resolved.target, property.property.isMap else {
          throw .noMap(path)
        }
        resolved.target = .mapValue(property, key: StoredText(key))
      }
    }

    /// Whether the present value is an `AnyRealmValue`, which may be a list or a dictionary.
    private var canStepInside: Bool {
      guard operation == nil, resolved.type == .any else { return false }
      if case .element = resolved.target { return false }
      return true
    }

    private mutating func stepInside(
      _ step: NestedStep, _ text: String, at index: Int
    ) throws(PredicateProblem) {
      guard canStepInside else {
        throw .unsupportedSubscript(
          text, of: QueryPath(Array(path.parts.prefix(index)), variable: path.variable))
      }
      resolved.nested.append(step)
    }

    private func map(_ operation: String) throws(PredicateProblem) -> QueryProperty {
      guard case .element(let property) = resolved.target, property.property.isMap else {
        throw .mustFollowMap(path, operation)
      }
      return property
    }

    // MARK: Properties

    private mutating func follow(_ name: String) throws(PredicateProblem) {
      if operation != nil, !needsProperty { throw .mustEndOfValues(path, operation) }
      let current = try objectClass()
      guard let property = current[name] else {
        throw .unknownProperty(path, name, of: current.name, known: current.propertyNames)
      }
      if property.property.isComputed {
        guard let origin = schema[property.property.objectClassName ?? ""],
          let through = origin[property.property.linkOriginPropertyName ?? ""]
        else { throw .missingClass(path, property.property.objectClassName ?? "") }
        resolved.steps.append(.owners(through: through, of: origin, shownBy: property))
        resolved.target = .object(className: origin.name)
      } else if property.property.collection != nil {
        resolved.target = .element(property)
      } else {
        resolved.target = .property(property)
      }
    }

    /// Returns the class of the present object, which becomes a step.
    private mutating func objectClass() throws(PredicateProblem) -> QueryClass {
      guard resolved.nested.isEmpty else { throw .behindSubscript(path) }
      switch resolved.target {
      case .object(let name): return try known(name)
      case .property(let property):
        guard property.isLink else { throw .noLink(path, property) }
        let target = try known(property.property.objectClassName ?? "")
        resolved.steps.append(.link(property, to: target))
        return target
      case .element(let property):
        guard property.type == .object else { throw .valuesOnly(path, property) }
        let target = try known(property.property.objectClassName ?? "")
        resolved.steps.append(.elements(property, of: target))
        return target
      case .keys, .mapValue, .point: throw .behindSubscript(path)
      case .value(let type, _): throw .noObject(path, type)
      }
    }

    private func known(_ className: String) throws(PredicateProblem) -> QueryClass {
      guard let known = schema[className] else { throw .missingClass(path, className) }
      return known
    }

    // MARK: Operations

    private mutating func begin(_ new: QueryAggregate) throws(PredicateProblem) {
      guard operation == nil else { throw .twoOperations(path) }
      operation = new
      guard resolved.nested.isEmpty else { throw .notOfCollection(path, new) }
      switch resolved.target {
      case .element(let property): needsProperty = property.type == .object && new != .count
      case .object where resolved.steps.last.map { !$0.isLink } == true:
        needsProperty = new != .count
      case .keys where new == .count: break
      case .property(let property) where !property.isLink: throw .noLink(path, property)
      default: throw .notOfCollection(path, new)
      }
    }

    func end() throws(PredicateProblem) -> Result {
      guard let operation else { return .path(resolved) }
      guard operation != .count else {
        return .aggregate(ResolvedAggregate(operation: .count, path: resolved))
      }
      if needsProperty {
        switch resolved.target {
        case .property(let property): try checkNumeric(property.type, operation, isElement: false)
        default:
          if case .operation = path.parts.last { throw .atEndOfObjects(path, operation) }
          throw .needsNumericProperty(path, operation)
        }
      } else {
        try checkNumeric(resolved.type, operation, isElement: true)
      }
      return .aggregate(ResolvedAggregate(operation: operation, path: resolved))
    }

    private func checkNumeric(
      _ type: PropertyType, _ operation: QueryAggregate, isElement: Bool
    ) throws(PredicateProblem) {
      switch type {
      case .int, .float, .double, .decimal128, .any: return
      case .date where operation == .min || operation == .max: return
      case .date: throw .sumOfDates
      default:
        throw isElement ? .notNumeric(path, operation) : .needsNumericProperty(path, operation)
      }
    }
  }
}

/// The search for a similar name.
package enum NearName {
  /// Returns the most similar name, if it differs in at most a third of its letters.
  package static func of(_ name: String, in known: [String]) -> String? {
    // The time for the distance grows with the product of the lengths.
    guard name.utf8.count <= 100 else { return nil }
    let letters = Array(SQLName.folded(name).unicodeScalars)
    let near = known.map { ($0, distance(letters, Array(SQLName.folded($0).unicodeScalars))) }
      .min { $0.1 < $1.1 }
    guard let near, near.1 <= max(1, letters.count / 3) else { return nil }
    return near.0
  }

  /// Returns the sentences with the known names of a class, and the similar one.
  static func hint(_ name: String, _ known: [String]) -> String {
    (known.isEmpty ? "It has none." : "It has: \(known.joined(separator: ", ")).")
      + (of(name, in: known).map { " Did you mean '\($0)'?" } ?? "")
  }

  /// Returns the least number of letters to add, remove, replace, or swap with a neighbor, to turn
  /// one text into another.
  private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var row = Array(0...second.count)
    for line in first.indices {
      var next = [line + 1]
      for column in second.indices {
        let isSame = first[line] == second[column]
        var least = Swift.min(row[column] + (isSame ? 0 : 1), row[column + 1] + 1, next[column] + 1)
        if line > 0, column > 0, first[line] == second[column - 1],
          first[line - 1] == second[column]
        {
          least = Swift.min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[second.count]
  }
}

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
        throw problem(
          keyPath, "property '\(current.name).\(name)' does not exist.",
          NearName.hint(name, current.propertyNames))
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
