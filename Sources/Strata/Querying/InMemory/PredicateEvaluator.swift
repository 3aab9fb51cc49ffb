import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// An evaluator of a condition for objects and values in memory. Follows the same rules as the SQL
/// for a file.
struct PredicateEvaluator {
  private let predicate: ResolvedPredicate
  private let regions = GeoRegions()

  init(_ predicate: ResolvedPredicate) {
    self.predicate = predicate
  }

  /// Creates an evaluator for the elements of a collection.
  init<Element: RealmCollectionValue>(
    _ predicate: QueryPredicate, of _: Element.Type
  ) throws(RealmError) {
    if let type = Element._elementClass {
      try self.init(predicate, ofObjects: type)
    } else {
      self.init(
        try Self.resolving { () throws(PredicateProblem) in
          try PredicateResolver(QuerySchema(Schema())).resolve(
            predicate, ofValues: Element._elementType, allowsNil: Element._elementIsOptional)
        })
    }
  }

  /// Creates an evaluator for objects of a class.
  init(_ predicate: QueryPredicate, ofObjects type: ObjectBase.Type) throws(RealmError) {
    let schema = try QuerySchema.ofUnmanaged(type)
    guard let queryClass = schema[type.className()] else { throw .notManaged(type) }
    self.init(
      try Self.resolving { () throws(PredicateProblem) in
        try PredicateResolver(schema).resolve(predicate, ofObjects: queryClass)
      })
  }

  private static func resolving(
    _ body: () throws(PredicateProblem) -> ResolvedPredicate
  ) throws(RealmError) -> ResolvedPredicate {
    do throws(PredicateProblem) {
      return try body()
    } catch {
      throw RealmError(error)
    }
  }

  /// Returns whether the condition is true for an object or a value.
  func isTrue(for element: Any?) -> Bool { isTrue(predicate, [element]) }

  // MARK: Logic

  /// Evaluates a condition.
  ///
  /// - Parameter scopes: The element, followed by the elements of the enclosing subqueries.
  private func isTrue(_ predicate: ResolvedPredicate, _ scopes: [Any?]) -> Bool {
    switch predicate {
    case .constant(let value): value
    case .and(let parts): parts.allSatisfy { isTrue($0, scopes) }
    case .or(let parts): parts.contains { isTrue($0, scopes) }
    case .not(let part): !isTrue(part, scopes)
    case .comparison(let comparison): isTrue(comparison, scopes)
    }
  }

  private func isTrue(_ comparison: ResolvedComparison, _ scopes: [Any?]) -> Bool {
    if case .path(let path) = comparison.left,
      case .point(let type, let coordinates) = path.target
    {
      guard let region = regions.region(of: comparison) else { return false }
      return owners(of: path, scopes).contains {
        $0.isIn(region, type, coordinates) != comparison.isNegatedForElements
      }
    }
    let left = values(of: comparison.left, scopes)
    if case .list(let list) = comparison.right {
      return left.contains {
        ValueComparison.isTrue($0, comparison.operator, list, comparison.options)
          != comparison.isNegatedForElements
      }
    }
    let right = values(of: comparison.right, scopes)
    return left.contains { left in
      right.contains {
        ValueComparison.isTrue(left, comparison.operator, $0, comparison.options)
          != comparison.isNegatedForElements
      }
    }
  }

  // MARK: Values

  /// Returns one value, or the values of all elements on the path.
  private func values(of operand: ResolvedOperand, _ scopes: [Any?]) -> [ResolvedConstant] {
    switch operand {
    case .constant(let constant): return [constant]
    case .list: return []
    case .path(let path): return values(at: path, scopes)
    case .aggregate(let aggregate): return [value(of: aggregate, scopes)]
    case .count(let path, _, let predicate):
      let count = objects(at: path, scopes).count { isTrue(predicate, scopes + [$0]) }
      return [.value(.integer(Int64(count)), .int)]
    }
  }

  private func value(of aggregate: ResolvedAggregate, _ scopes: [Any?]) -> ResolvedConstant {
    let values = values(at: aggregate.path, scopes)
    // Without its `@`, the operation is the name of the function. Only the count has none.
    guard let function = Aggregate(rawValue: String(aggregate.operation.rawValue.dropFirst()))
    else {
      return .value(.integer(Int64(values.count)), .int)
    }
    return ValueComparison.aggregate(function, values, aggregate)
  }

  private func values(at path: ResolvedPath, _ scopes: [Any?]) -> [ResolvedConstant] {
    guard path.nested.isEmpty else {
      return values(outside: path, scopes).flatMap { value -> [ResolvedConstant] in
        let found = AnyRealmValue.converting(value)?.values(at: path.nested) ?? []
        if found.isEmpty, !path.nested.contains(.any) { return [.null] }
        return found.map { ValueComparison.constant($0.rawValue, .any) }
      }
    }
    let owners = owners(of: path, scopes)
    switch path.target {
    case .property(let property):
      return owners.map { ValueComparison.constant($0.property(property), property.type) }
    case .object: return owners.map { ValueComparison.constant($0.value, .object) }
    case .value(let type, _): return owners.map { ValueComparison.constant($0.value, type) }
    case .element(let property):
      return owners.flatMap { $0.elements(property) }
        .map { ValueComparison.constant($0, property.type) }
    case .keys(let property):
      return owners.flatMap { $0.keys(property) }.map { .value(.text($0), .string) }
    case .mapValue(let property, let key):
      return owners.map { ValueComparison.constant($0.value(property, key.text), property.type) }
    case .point: return []
    }
  }

  /// Returns the `AnyRealmValue`s whose content the nested steps of a path read.
  private func values(outside path: ResolvedPath, _ scopes: [Any?]) -> [Any?] {
    let owners = owners(of: path, scopes)
    return switch path.target {
    case .property(let property): owners.map { $0.property(property) }
    case .mapValue(let property, let key): owners.map { $0.value(property, key.text) }
    case .element(let property): owners.flatMap { $0.elements(property) }
    case .value, .object: owners.map(\.value)
    case .keys, .point: []
    }
  }

  /// Returns the objects of the collection at the end of a path.
  private func objects(at path: ResolvedPath, _ scopes: [Any?]) -> [Any?] {
    let owners = owners(of: path, scopes)
    guard case .element(let property) = path.target else { return owners.map(\.value) }
    return owners.flatMap { $0.elements(property) }.filter { $0 != nil }
  }

  /// Returns the objects that own the property at the end of a path.
  ///
  /// A nil link gives nil. After a collection, elements with a nil link are left out.
  private func owners(of path: ResolvedPath, _ scopes: [Any?]) -> [ElementOwner] {
    var owners = [ElementOwner(scopes[path.depth])]
    var isBehindCollection = false
    for step in path.steps {
      switch step {
      case .link(let property, _): owners = owners.map { ElementOwner($0.property(property)) }
      case .elements(let property, _):
        isBehindCollection = true
        owners = owners.flatMap { $0.elements(property) }.map { ElementOwner($0) }
      case .owners(_, _, let linking):
        isBehindCollection = true
        owners = owners.flatMap { $0.elements(linking) }.map { ElementOwner($0) }
      }
      if isBehindCollection { owners.removeAll { $0.value == nil } }
    }
    return owners
  }
}

extension AnyRealmValue {
  /// Returns the values at the end of some steps into a list or a dictionary.
  fileprivate func values(at steps: [NestedStep]) -> [AnyRealmValue] {
    var values = [self]
    for step in steps {
      values = values.flatMap { value -> [AnyRealmValue] in
        switch (value, step) {
        case (.list(let list), .index(let index)): list.indices.contains(index) ? [list[index]] : []
        case (.dictionary(let map), .key(let key)): map[key].map { [$0] } ?? []
        case (.list(let list), .any): Array(list)
        case (.dictionary(let map), .any): map.values
        default: []
        }
      }
    }
    return values
  }
}

/// An object in memory, or nil, whose properties the next step of a path reads.
private struct ElementOwner {
  let value: Any?

  init(_ value: Any?) {
    self.value = unwrapped(value)
  }

  func property(_ property: QueryProperty) -> Any? {
    (value as? any KeyedValues)?.unboxedValue(property.property.name)
  }

  func elements(_ property: QueryProperty) -> [Any?] {
    (self.property(property) as? any ElementValues)?.elementValues ?? []
  }

  func keys(_ property: QueryProperty) -> [String] {
    (self.property(property) as? any DynamicMap)?.dynamicEntries.map(\.0) ?? []
  }

  func value(_ property: QueryProperty, _ key: String) -> Any? {
    (self.property(property) as? any KeyedValues)?.unboxedValue(key)
  }
}

/// The areas of a geospatial condition, each parsed once for all objects.
private final class GeoRegions: Sendable {
  private let known = Mutex<[String: GeoRegion]>([:])

  func region(of comparison: ResolvedComparison) -> GeoRegion? {
    guard case .constant(.value(.text(let text), _)) = comparison.right else { return nil }
    return known.withLock { known in
      if let region = known[text] { return region }
      guard let shape = GeoShape(text: text) else { return nil }
      let region = GeoRegion(shape)
      known[text] = region
      return region
    }
  }
}

extension ElementOwner {
  /// Returns whether the object is a geographical point in an area.
  fileprivate func isIn(
    _ region: GeoRegion, _ type: QueryProperty, _ coordinates: QueryProperty
  ) -> Bool {
    guard (property(type) as? String)?.lowercased() == "point" else { return false }
    let numbers = elements(coordinates).prefix(2).compactMap { $0 as? Double }
    return numbers.count == 2 && region.contains(longitude: numbers[0], latitude: numbers[1])
  }
}
