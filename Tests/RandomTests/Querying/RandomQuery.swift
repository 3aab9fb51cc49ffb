import Foundation
import Strata
import StrataTestKit

@testable import Strata
@testable import StrataQuery
@testable import StrataSchema

/// Makes conditions at random that the schema can answer.
struct RandomQuery {
  private var pool: QueryValuePool
  private let schema: QuerySchema
  /// Objects that conditions compare with, by class.
  private let constants: [String: [ObjectBase]]
  private var variables = 0

  init(seed: UInt64, _ schema: QuerySchema, constants: [String: [ObjectBase]]) {
    pool = QueryValuePool(seed: seed)
    self.schema = schema
    self.constants = constants
  }

  mutating func predicate(depth: Int = 4) -> QueryPredicate {
    predicate(of: "Whole", variable: nil, depth: depth)
  }

  /// - Parameter variable: The variable of the surrounding subquery.
  private mutating func predicate(
    of className: String, variable: String?, depth: Int
  ) -> QueryPredicate {
    let kind = depth == 0 ? 0 : pool.number(0..<10)
    switch kind {
    case 0..<4: return comparison(className, variable, depth: depth)
    case 4..<6: return .and(parts(className, variable, depth))
    case 6..<8: return .or(parts(className, variable, depth))
    case 8: return .not(predicate(of: className, variable: variable, depth: depth - 1))
    default:
      return pool.chance(20)
        ? .constant(pool.chance(50)) : comparison(className, variable, depth: depth)
    }
  }

  private mutating func parts(
    _ className: String, _ variable: String?, _ depth: Int
  ) -> [QueryPredicate] {
    (0..<pool.number(1..<4)).map { _ in
      predicate(of: className, variable: variable, depth: depth - 1)
    }
  }

  // MARK: Paths

  private struct Way {
    var parts: [QueryPart] = []
    var property: QueryProperty
    var isMany = false
    /// Whether the value may be nil, because it is or because a link on the way is.
    var allowsNil = false
  }

  /// A way from an object of a class to a property.
  private mutating func way(from className: String) -> Way {
    var parts: [QueryPart] = []
    var isMany = false
    var hasLink = false
    var current = schema[className]!
    while true {
      let property = current[pool.one(of: current.propertyNames)]!
      parts.append(.property(property.property.name))
      let target = property.property.objectClassName.flatMap { schema[$0] }
      if let target, parts.count < 4, pool.chance(60) {
        isMany = isMany || property.isCollection
        hasLink = hasLink || !property.isCollection
        current = target
        continue
      }
      let isElement = property.isCollection
      let allowsNil: Bool =
        if isElement {
          property.type == .object
            ? property.property.isMap
            : property.property.isComputed ? false : property.property.isNullable
        } else {
          property.property.isNullable || (hasLink && !isMany)
        }
      return Way(
        parts: parts, property: property, isMany: isMany || isElement, allowsNil: allowsNil)
    }
  }

  // MARK: Comparisons

  private mutating func comparison(
    _ className: String, _ variable: String?, depth: Int
  ) -> QueryPredicate {
    // Conditions in a subquery may speak of the outer object too.
    let isOuter = variable != nil && pool.chance(15)
    let (start, name) = isOuter ? ("Whole", nil) : (className, variable)
    var way = way(from: start)
    let property = way.property
    if way.isMany, pool.chance(35),
      let special = special(way, name, depth: depth)
    {
      return special
    }
    if property.property.isMap, !way.parts.dropLast().contains(where: isCollection) {
      if pool.chance(40) {
        way.parts.append(.key(pool.one(of: ["a", "b", "k.1", "zz"])))
        way.isMany = false
        way.allowsNil = true
      } else if pool.chance(30) {
        way.parts.append(.keys)
        return .comparison(
          QueryComparison(
            .path(QueryPath(way.parts, variable: name)),
            pool.one(of: [.equal, .notEqual, .beginsWith]),
            .value(.string(pool.one(of: ["a", "b", "k.1"]))), quantifier: quantifier()))
      }
    }
    return comparison(way, QueryPath(way.parts, variable: name))
  }

  private func isCollection(_ part: QueryPart) -> Bool {
    guard case .property(let name) = part else { return false }
    return ["Whole", "Part", "Box"].contains { schema[$0]?[name]?.isCollection == true }
  }

  private mutating func quantifier() -> QueryQuantifier {
    pool.one(of: [.any, .any, .any, .no, .all])
  }

  private mutating func comparison(_ way: Way, _ path: QueryPath) -> QueryPredicate {
    let type = way.property.type == .linkingObjects ? .object : way.property.type
    let quantifier = way.isMany ? quantifier() : nil
    var options: QueryOptions = []
    let operators: [QueryOperator] =
      switch type {
      case .int, .float, .double, .decimal128, .date:
        [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between]
      case .string:
        [
          .equal, .notEqual, .less, .greaterOrEqual, .in, .contains, .beginsWith, .endsWith, .like,
        ]
      case .data: [.equal, .notEqual, .less, .in, .contains, .beginsWith, .endsWith]
      case .any: [.equal, .notEqual, .in, .less, .lessOrEqual, .greater]
      default: [.equal, .notEqual, .in]
      }
    let chosen = pool.one(of: operators)
    if type == .string, chosen != .less, chosen != .greaterOrEqual, pool.chance(40) {
      options = pool.one(of: [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
      ])
      if chosen == .like { options = .caseInsensitive }
    }
    func made(_ right: QueryOperand) -> QueryPredicate {
      .comparison(
        QueryComparison(.path(path), chosen, right, options: options, quantifier: quantifier))
    }
    if options.isEmpty, ![.in, .between, .like, .contains].contains(chosen), pool.chance(15),
      let other = sameType(type, path.variable)
    {
      return made(.path(other))
    }
    switch chosen {
    case .in:
      let count = pool.chance(20) ? pool.number(17..<40) : pool.number(0..<4)
      return made(.list((0..<count).map { _ in constant(type, way, .in) }))
    case .between:
      return made(.list([constant(type, way, .between), constant(type, way, .between)]))
    default: return made(.value(constant(type, way, chosen)))
    }
  }

  /// A property with a single value of the same type.
  private mutating func sameType(_ type: PropertyType, _ variable: String?) -> QueryPath? {
    guard variable == nil else { return nil }
    let names: [PropertyType: [String]] = [
      .int: ["int", "maybeInt", "id", "maybeDouble", "part.number", "maybeDecimal"],
      .double: ["double", "maybeDouble", "maybeInt", "float"], .float: ["float", "double", "int"],
      .string: ["string", "maybeString", "part.name", "box.text"], .data: ["data", "maybeData"],
      .date: ["date", "maybeDate"], .decimal128: ["decimal", "maybeDecimal", "maybeInt"],
      .bool: ["bool", "maybeBool"],
      .any: ["any", "maybeInt", "maybeString", "maybeDecimal", "part.any"],
    ]
    return names[type].map {
      QueryPath(pool.one(of: $0).split(separator: ".").map { .property(String($0)) })
    }
  }

  private mutating func constant(
    _ type: PropertyType, _ way: Way, _ operator: QueryOperator
  ) -> QueryValue {
    if way.allowsNil, pool.chance(15) { return .null }
    switch type {
    case .object:
      let className = way.property.property.objectClassName ?? ""
      // There is no constant that is an embedded object, but nil.
      guard let objects = constants[className], !objects.isEmpty else {
        return way.allowsNil ? .null : QueryValue(Queried.Box())
      }
      return QueryValue(pool.one(of: objects))
    case .string:
      return .string(
        pool.one(of: `operator` == .like ? QueryValuePool.patterns : QueryValuePool.texts))
    case .any:
      if pool.chance(10) {
        return QueryValue(pool.one(of: constants["Part"] ?? [])).orderless(`operator`)
      }
      return QueryValue(pool.value(of: .any)).orderless(`operator`)
    case .double where pool.chance(5): return .double(.nan)
    default: return QueryValue(pool.value(of: type))
    }
  }

  // MARK: Aggregates and subqueries

  private mutating func special(
    _ way: Way, _ variable: String?, depth: Int
  ) -> QueryPredicate? {
    let numbers: [QueryOperator] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]
    let property = way.property
    let path = QueryPath(way.parts, variable: variable)
    func compared(_ left: QueryOperand, _ value: QueryValue, _ chosen: QueryOperator)
      -> QueryPredicate
    {
      .comparison(QueryComparison(left, chosen, .value(value)))
    }
    if property.isCollection, pool.chance(40) {
      var counted = path
      counted.parts.append(.operation(.count))
      return compared(.path(counted), .int(Int64(pool.number(0..<4))), pool.one(of: numbers))
    }
    if property.isCollection, let className = property.property.objectClassName, depth > 0 {
      variables += 1
      let name = "v\(variables)"
      let inner = predicate(of: className, variable: name, depth: min(depth - 1, 2))
      return compared(
        .subquery(QuerySubquery(path, name, inner)), .int(Int64(pool.number(0..<3))),
        pool.one(of: numbers))
    }
    guard [.int, .double, .decimal128].contains(property.type) else { return nil }
    let operation = pool.one(of: [QueryAggregate.min, .max, .sum, .average])
    var computed = path
    if property.isCollection {
      computed.parts.append(.operation(operation))
    } else {
      guard let index = computed.parts.firstIndex(where: isCollection),
        !computed.parts[(index + 1)...].contains(where: isCollection)
      else { return nil }
      if case .property(let name) = computed.parts[index], name.hasSuffix("Map") { return nil }
      computed.parts.insert(.operation(operation), at: index + 1)
    }
    let value: QueryValue =
      property.type == .decimal128
      ? QueryValue(pool.decimal())
      : pool.chance(50) ? .int(Int64(pool.int())) : .double(pool.double())
    return compared(.path(computed), value, pool.one(of: numbers))
  }
}

extension QueryValue {
  /// Another value where this one has no order, and the operator needs one.
  fileprivate func orderless(_ operator: QueryOperator) -> QueryValue {
    switch (`operator`, self) {
    case (.equal, _), (.notEqual, _), (.in, _): self
    case (_, .bool), (_, .uuid), (_, .objectId), (_, .object): .int(1)
    default: self
    }
  }
}
