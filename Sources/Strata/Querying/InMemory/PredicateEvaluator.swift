import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// Answers a condition for objects and values in memory, by the rules by which SQL answers it for a
/// file.
struct PredicateEvaluator {
  private let predicate: ResolvedPredicate
  private let regions = GeoRegions()

  init(_ predicate: ResolvedPredicate) {
    self.predicate = predicate
  }

  /// A condition on the elements of a collection.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a condition that they can't answer.
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

  /// A condition on objects of a class.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a condition that they can't answer.
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

  /// Whether the condition is true for an object or a value.
  func isTrue(for element: Any?) -> Bool { isTrue(predicate, [element]) }

  // MARK: Logic

  /// - Parameter scopes: The element, and then the elements of the subqueries around.
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

  /// One value, or those of all elements on the way.
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
    guard let function = Aggregate(aggregate.operation) else {
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
      return owners.map { ValueComparison.constant($0.value(property, key), property.type) }
    case .point: return []
    }
  }

  /// The values of an `AnyRealmValue`, before the steps into them.
  private func values(outside path: ResolvedPath, _ scopes: [Any?]) -> [Any?] {
    let owners = owners(of: path, scopes)
    return switch path.target {
    case .property(let property): owners.map { $0.property(property) }
    case .mapValue(let property, let key): owners.map { $0.value(property, key) }
    case .element(let property): owners.flatMap { $0.elements(property) }
    case .value, .object: owners.map(\.value)
    case .keys, .point: []
    }
  }

  /// The objects of the collection at the end of a path.
  private func objects(at path: ResolvedPath, _ scopes: [Any?]) -> [Any?] {
    let owners = owners(of: path, scopes)
    guard case .element(let property) = path.target else { return owners.map(\.value) }
    return owners.flatMap { $0.elements(property) }.filter { $0 != nil }
  }

  /// The objects whose property is at the end of a path.
  ///
  /// A nil link gives nil; behind a collection an element with one is left out.
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
  /// What is at the end of some steps into a list or a dictionary.
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

/// An object in memory, or nil, by whose properties a path goes on.
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
    (self.property(property) as? any ElementKeys)?.elementKeys ?? []
  }

  func value(_ property: QueryProperty, _ key: String) -> Any? {
    (self.property(property) as? any KeyedValues)?.unboxedValue(key)
  }
}

/// The areas of a condition on places, each read from its text once for all objects.
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
  /// Whether the object is a place in an area.
  fileprivate func isIn(
    _ region: GeoRegion, _ type: QueryProperty, _ coordinates: QueryProperty
  ) -> Bool {
    guard (property(type) as? String)?.lowercased() == "point" else { return false }
    let numbers = elements(coordinates).prefix(2).compactMap { $0 as? Double }
    return numbers.count == 2 && region.contains(longitude: numbers[0], latitude: numbers[1])
  }
}

extension Aggregate {
  fileprivate init?(_ operation: QueryAggregate) {
    switch operation {
    case .count: return nil
    case .min: self = .min
    case .max: self = .max
    case .sum: self = .sum
    case .average: self = .average
    }
  }
}
