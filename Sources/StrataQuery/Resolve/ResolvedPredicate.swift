package import StrataSchema

/// A condition whose names exist and whose types fit.
///
/// The same tree is used for SQL and for comparing objects in memory.
package indirect enum ResolvedPredicate: Sendable, Hashable {
  case constant(Bool)
  case and([ResolvedPredicate])
  case or([ResolvedPredicate])
  case not(ResolvedPredicate)
  case comparison(ResolvedComparison)
}

extension ResolvedPredicate {
  /// The number of nested chains of conditions. A subquery counts as several.
  package var weight: Int {
    switch self {
    case .constant: 0
    case .not(let part): part.weight
    case .and(let parts), .or(let parts): 1 + (parts.lazy.map(\.weight).max() ?? 0)
    case .comparison(let comparison):
      if case .count(_, _, let predicate) = comparison.left {
        QueryDepth.ofSubquery + predicate.weight
      } else {
        0
      }
    }
  }
}

extension ResolvedPredicate {
  /// The weight including the comparisons: collections need separate statements, and some types
  /// several conditions.
  package var depth: Int {
    switch self {
    case .constant: 0
    case .not(let part): part.depth
    case .and(let parts), .or(let parts): 1 + (parts.lazy.map(\.depth).max() ?? 0)
    case .comparison(let comparison): comparison.left.depth + comparison.right.depth
    }
  }
}

extension ResolvedOperand {
  /// The number of levels of conditions for which the operand counts.
  fileprivate var depth: Int {
    switch self {
    case .path(let path): path.depthOfConditions
    case .aggregate(let aggregate): aggregate.path.depthOfConditions
    case .count(_, _, let predicate): QueryDepth.ofSubquery + predicate.depth
    case .constant, .list: 0
    }
  }
}

extension ResolvedPath {
  fileprivate var depthOfConditions: Int {
    var depth = type == .any || type == .decimal128 ? QueryDepth.ofAnyValueOrDecimal : 0
    if hasCollection {
      depth += QueryDepth.ofCollection
    } else {
      depth += QueryDepth.ofLink * min(steps.count, ResolvedPath.maxSubselects)
    }
    if case .mapValue = target { depth += QueryDepth.ofMapValue }
    return depth
  }

  /// The greatest number of links as nested subselects.
  static let maxSubselects = 2
}

/// A comparison of two operands. The comparison is true if it is true for any of the elements on
/// their paths.
package struct ResolvedComparison: Sendable, Hashable {
  /// The left side, which is never a constant.
  package var left: ResolvedOperand
  package var `operator`: QueryOperator
  package var right: ResolvedOperand
  package var options: QueryOptions
  /// Whether an element counts if the comparison is false for it. `ALL` means that there is no such
  /// element.
  package var isNegatedForElements = false
}

/// A side of a resolved comparison.
package indirect enum ResolvedOperand: Sendable, Hashable {
  case path(ResolvedPath)
  case constant(ResolvedConstant)
  case list([ResolvedConstant])
  case aggregate(ResolvedAggregate)
  /// The number of objects of a collection for which a condition is true.
  case count(ResolvedPath, of: QueryClass, where: ResolvedPredicate)
}

/// A constant as a value of the type that it is compared with.
package enum ResolvedConstant: Sendable, Hashable {
  case null
  case value(StoredValue, PropertyType)
  /// An object. If it has no row, no object in the file is equal to it.
  case object(QueryObject)

  package var type: PropertyType? {
    switch self {
    case .null: nil
    case .value(_, let type): type
    case .object: .object
    }
  }

  /// Whether the constant is NaN, which equals nothing.
  var isNaN: Bool {
    switch self {
    case .value(.real(let number), _): number.isNaN
    case .value(.text("NaN"), .decimal128): true
    default: false
    }
  }
}

/// A path from an object to a value.
package struct ResolvedPath: Sendable, Hashable {
  /// The subquery depth of the path's first object; zero is the outermost.
  package var depth: Int
  package var steps: [ResolvedStep]
  package var target: ResolvedTarget
  /// The steps into the list or the dictionary in the `AnyRealmValue` at the end.
  package var nested: [NestedStep] = []

  /// Whether the path leads through a collection, or to the elements of one.
  package var hasCollection: Bool {
    leadsToElements || nested.contains(.any)
  }

  /// Whether the path leads through a collection, or to the elements of one, without regard to the
  /// contents of an `AnyRealmValue`.
  var leadsToElements: Bool {
    if steps.contains(where: { !$0.isLink }) { return true }
    switch target {
    case .element, .keys: return true
    case .property, .object, .mapValue, .value, .point: return false
    }
  }

  /// The type of the value at the end; `object` for links.
  package var type: PropertyType {
    switch target {
    case .property(let property), .element(let property), .mapValue(let property, _):
      property.type
    case .keys, .point: .string
    case .object: .object
    case .value(let type, _): type
    }
  }

  /// The class of the object at the end; nil for other values.
  package var className: String? {
    switch target {
    case .property(let property), .element(let property), .mapValue(let property, _):
      property.type == .object ? property.property.objectClassName : nil
    case .object(let className): className
    case .keys, .value, .point: nil
    }
  }

  /// Whether the value may be nil: because its property is optional, or because of a link on the
  /// path. After a collection, elements with a nil link on the path are excluded.
  package var allowsNil: Bool {
    targetAllowsNil || !nested.isEmpty || (!hasCollection && !steps.isEmpty)
  }

  private var targetAllowsNil: Bool {
    switch target {
    case .property(let property): property.property.isNullable
    case .element(let property):
      // The object of a list or a set is never nil.
      property.type == .object ? property.property.isMap : property.property.isNullable
    case .mapValue, .point: true
    case .value(_, let allowsNil): allowsNil
    case .object, .keys: false
    }
  }
}

extension ResolvedPath {
  /// The type for messages; for objects, the class.
  var typeName: String { className ?? type.rawValue }
}

/// One step to another object, or to several.
package enum ResolvedStep: Sendable, Hashable {
  /// The object of a link.
  case link(QueryProperty, to: QueryClass)
  /// The objects of a list, a set or a map.
  case elements(QueryProperty, of: QueryClass)
  /// The objects that link here through one of their properties, as in linking objects.
  case owners(through: QueryProperty, of: QueryClass, shownBy: QueryProperty)

  package var isLink: Bool { if case .link = self { true } else { false } }

  /// The class of the objects to which the step leads.
  package var target: QueryClass {
    switch self {
    case .link(_, let target), .elements(_, let target), .owners(_, let target, _): target
    }
  }
}

/// The end of a path.
package enum ResolvedTarget: Sendable, Hashable {
  /// A property of the object; for a link, the linked object.
  case property(QueryProperty)
  /// The object itself.
  case object(className: String)
  /// Each element of a collection.
  case element(QueryProperty)
  /// Each key of a map.
  case keys(QueryProperty)
  /// The value of a key of a map.
  case mapValue(QueryProperty, key: StoredText)
  /// The point on the Earth that the object represents, by its type and its coordinates.
  case point(type: QueryProperty, coordinates: QueryProperty)
  /// The value of a query on values, which is no object.
  case value(PropertyType, allowsNil: Bool)
}

/// An aggregate of all elements of a collection.
package struct ResolvedAggregate: Sendable, Hashable {
  package var operation: QueryAggregate
  /// The values: a collection of values, or a property of its objects. For a count, the elements.
  package var path: ResolvedPath

  package var type: PropertyType {
    switch operation {
    case .count: .int
    case .min, .max: path.type == .any ? .decimal128 : path.type
    case .sum: path.type == .float ? .double : path.type == .any ? .decimal128 : path.type
    case .average:
      path.type == .decimal128 || path.type == .any ? .decimal128 : .double
    }
  }

  /// Whether the result may be nil, because there are no elements.
  package var allowsNil: Bool { operation != .count && operation != .sum }
}

extension QueryClass: Hashable {
  package static func == (first: QueryClass, second: QueryClass) -> Bool {
    first === second || first.name == second.name
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ResolvedPredicate {
  /// Whether all conditions of a shape, which this one has, have the same SQL: each constant is
  /// compared unchanged with a property of exactly its type that isn't in a collection.
  package func hasSQL(ofAll shape: QueryShape) -> Bool { comparedTypes == shape.types }

  /// The types of the properties that constants are compared with; nil if there are other
  /// comparisons.
  private var comparedTypes: [PropertyType]? {
    switch self {
    case .constant: return nil
    case .and(let parts), .or(let parts):
      var types: [PropertyType] = []
      for part in parts {
        guard let some = part.comparedTypes else { return nil }
        types += some
      }
      return types
    case .not(let part): return part.comparedTypes
    case .comparison(let comparison): return comparison.comparedType.map { [$0] }
    }
  }
}

extension ResolvedComparison {
  fileprivate var comparedType: PropertyType? {
    guard case .path(let path) = left, !path.hasCollection, path.nested.isEmpty,
      case .property(let property) = path.target,
      case .constant(.value(let value, let type)) = right, type == property.type
    else { return nil }
    return switch (type, value) {
    case (.string, .text), (.int, .integer), (.double, .real), (.bool, .integer): type
    default: nil
    }
  }
}

extension ResolvedPath {
  /// Returns the path to the points that the embedded objects at its end represent.
  ///
  /// They have GeoJSON's form: a string `type`, and a list `coordinates` with the longitude first.
  /// - Throws: ``PredicateProblem`` for anything else.
  func leadingToPoints(
    in schema: QuerySchema, _ comparison: QueryComparison
  ) throws(PredicateProblem) -> ResolvedPath {
    guard nested.isEmpty, let className, let points = schema[className] else {
      throw .notPoints(comparison)
    }
    guard points.isEmbedded else { throw .pointsAtTopLevel(className) }
    guard let type = points["type"], type.type == .string, !type.isCollection,
      let coordinates = points["coordinates"], coordinates.type == .double,
      coordinates.property.collection == .list
    else { throw .notPoints(comparison) }
    var path = self
    switch target {
    case .property(let link): path.steps.append(.link(link, to: points))
    case .element(let elements): path.steps.append(.elements(elements, of: points))
    case .object: break
    case .keys, .mapValue, .value, .point: throw .notPoints(comparison)
    }
    path.target = .point(type: type, coordinates: coordinates)
    return path
  }
}

/// Mistakes in geospatial conditions. The sentences are Realm's.
extension PredicateProblem {
  static func notPoints(_ comparison: QueryComparison) -> PredicateProblem {
    let text = QueryPredicate.comparison(comparison).description
    return PredicateProblem(
      "Query '\(text)' links to data in the wrong format for a geoWithin query. Ask for a link to an "
        + "embedded object with '@Persisted var type: String' and '@Persisted var coordinates: "
        + "List<Double>'.")
  }

  static func pointsAtTopLevel(_ className: String) -> PredicateProblem {
    PredicateProblem(
      "A GEOWITHIN query can only operate on a link to an embedded class but '\(className)' is at the "
        + "top level. Make it an EmbeddedObject.")
  }

  static func invalidRegion(_ shape: GeoShape, _ problem: String) -> PredicateProblem {
    PredicateProblem("Invalid region in GEOWITHIN query for parameter '\(shape)': '\(problem)'")
  }

  static let geoWithinNeedsShape = PredicateProblem(
    "Operator 'GEOWITHIN' needs an area. Pass a GeoBox, a GeoCircle or a GeoPolygon.")

  static let geoWithinWithOptions = PredicateProblem(
    "Operator 'GEOWITHIN' takes no '[c]' and '[d]'. Leave them out.")
}
