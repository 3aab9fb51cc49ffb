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
        resolved.target = .mapValue(property, key: key)
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
