import Foundation
import Strata

@testable import StrataQuery

/// An object as the oracle knows it: names and values, no classes and no file.
final class OracleObject {
  let className: String
  let id: Int
  var values: [String: OracleValue] = [:]

  init(_ className: String, _ id: Int) {
    self.className = className
    self.id = id
  }
}

/// A value as the oracle compares it.
enum OracleValue {
  case none
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case decimal(Decimal128)
  case text(String)
  case data([UInt8])
  /// Dates and ids: the kind, and the text that the file keeps.
  case named(String, String)
  case object(OracleObject)
  case list([OracleValue])
  case map([(key: String, value: OracleValue)])

  init(_ value: QueryValue, _ objects: (QueryObject) -> OracleObject?) {
    self =
      switch value {
      case .null, .members, .shape, .unsupported: .none
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .float(let value): .double(Double(value))
      case .double(let value): .double(value)
      case .decimal(let text): .decimal(Decimal128(text) ?? 0)
      case .string(let text): .text(text)
      case .data(let bytes): .data(bytes)
      case .date(let text): .named("date", text)
      case .uuid(let text): .named("uuid", text)
      case .objectId(let text): .named("id", text)
      case .nested(let text): .named("nested", text)
      case .object(let object): objects(object).map { .object($0) } ?? .none
      }
  }

  var isNone: Bool { if case .none = self { true } else { false } }
}

/// Answers conditions by the rules of the specification, one object at a time, as simply as it can
/// be written: what is right, and not how to find it.
struct Oracle {
  let all: [OracleObject]
  let objects: (QueryObject) -> OracleObject?

  func isTrue(_ predicate: QueryPredicate, _ scopes: [String: OracleObject]) -> Bool {
    switch predicate {
    case .constant(let value): value
    case .and(let parts): !parts.contains { !isTrue($0, scopes) }
    case .or(let parts): parts.contains { isTrue($0, scopes) }
    case .not(let part): !isTrue(part, scopes)
    case .comparison(let comparison): isTrue(comparison, scopes)
    case .invalid: false
    }
  }

  private func isTrue(_ comparison: QueryComparison, _ scopes: [String: OracleObject]) -> Bool {
    let left = values(comparison.left, scopes)
    let outcomes = left.flatMap { left in
      if case .list(let list) = comparison.right {
        let values = list.map { OracleValue($0, objects) }
        return [
          comparison.operator == .between
            ? compare(left, .greaterOrEqual, values[0], []) && !values[0].isNone
              && compare(left, .lessOrEqual, values[1], []) && !values[1].isNone
            : values.contains { compare(left, .equal, $0, comparison.options) }
        ]
      }
      return values(comparison.right, scopes).map {
        compare(left, comparison.operator, $0, comparison.options)
      }
    }
    switch comparison.quantifier {
    case nil, .any: return outcomes.contains(true)
    case .no: return !outcomes.contains(true)
    case .all: return !outcomes.contains(false)
    }
  }

  // MARK: Values

  private func values(
    _ operand: QueryOperand, _ scopes: [String: OracleObject]
  ) -> [OracleValue] {
    switch operand {
    case .value(let value): return [OracleValue(value, objects)]
    case .list: return []
    case .path(let path): return values(path, scopes)
    case .subquery(let subquery):
      let elements = values(subquery.collection, scopes)
      let count = elements.count { element in
        guard case .object(let object) = element else { return false }
        var inner = scopes
        inner[subquery.variable] = object
        return isTrue(subquery.predicate, inner)
      }
      return [.int(Int64(count))]
    }
  }

  private func values(_ path: QueryPath, _ scopes: [String: OracleObject]) -> [OracleValue] {
    var values = [OracleValue.object(scopes[path.variable ?? ""]!)]
    var isMany = false
    var operation: QueryAggregate?
    for (index, part) in path.parts.enumerated() {
      switch part {
      case .property(let name):
        values = values.flatMap { value -> [OracleValue] in
          // The objects of a map.
          if case .map(let entries) = value { entries.map(\.value) } else { [value] }
        }
        values = values.flatMap { value -> [OracleValue] in
          guard case .object(let object) = value else {
            // Behind a collection an element with a nil link is left out. A key of a map has one
            // value, which is nil there.
            let hasOneValue = path.parts.dropFirst(index + 1).first.map(\.isKey) == true
            return isMany || (name.isCollection && !hasOneValue) ? [] : [.none]
          }
          let next = property(name, of: object)
          if case .list(let list) = next { return list }
          return [next]
        }
        isMany = isMany || name.isCollection
      case .operation(let found): operation = found
      case .keys: values = values.flatMap { entries($0).map { .text($0.key) } }
      case .values: values = values.flatMap { entries($0).map(\.value) }
      case .key(let key):
        isMany = false
        values = values.map { entries($0).first { $0.key == key }?.value ?? .none }
      // The generator makes none of these.
      case .index, .any, .invalid: values = []
      }
    }
    if path.parts.last.map(\.isProperty) == true || operation != nil {
      values = values.flatMap { value -> [OracleValue] in
        if case .map(let entries) = value { entries.map(\.value) } else { [value] }
      }
    }
    guard let operation else { return values }
    return [aggregate(operation, values)]
  }

  private func entries(_ value: OracleValue) -> [(key: String, value: OracleValue)] {
    if case .map(let entries) = value { entries } else { [] }
  }

  private func property(_ name: String, of object: OracleObject) -> OracleValue {
    func linking(_ property: String, _ className: String) -> OracleValue {
      .list(
        all.filter { $0.className == className }.flatMap { other -> [OracleValue] in
          let value = other.values[property] ?? .none
          let targets: [OracleValue] = if case .list(let list) = value { list } else { [value] }
          return targets.compactMap {
            if case .object(let target) = $0, target === object { .object(other) } else { nil }
          }
        })
    }
    return switch name {
    case "previous": linking("next", "Whole")
    case "wholes": linking("part", "Whole")
    case "lists": linking("parts", "Whole")
    default: object.values[name] ?? .none
    }
  }

  private func aggregate(_ operation: QueryAggregate, _ values: [OracleValue]) -> OracleValue {
    if operation == .count { return .int(Int64(values.count)) }
    let values = values.filter { !$0.isNone }
    let isInteger = values.allSatisfy { if case .int = $0 { true } else { false } }
    let isDecimal = values.contains { if case .decimal = $0 { true } else { false } }
    func number(_ value: OracleValue) -> Double {
      switch value {
      case .int(let value): Double(value)
      case .double(let value): value
      default: 0
      }
    }
    let numbers = values.filter { $0.decimal?.isNaN != true }
    switch operation {
    case .count: return .none
    // NaN is no candidate.
    case .min: return numbers.reduce(.none) { $0.isNone || compare($1, .less, $0, []) ? $1 : $0 }
    case .max: return numbers.reduce(.none) { $0.isNone || compare($1, .greater, $0, []) ? $1 : $0 }
    case .sum, .average:
      if operation == .average, values.isEmpty { return .none }
      if isDecimal {
        let sum = values.compactMap(\.decimal).reduce(Decimal128(), +)
        return .decimal(operation == .sum ? sum : sum / Decimal128(value: values.count))
      }
      if isInteger, operation == .sum {
        return .int(values.reduce(0) { if case .int(let value) = $1 { $0 &+ value } else { $0 } })
      }
      let sum = values.reduce(0) { $0 + number($1) }
      return .double(operation == .sum ? sum : sum / Double(values.count))
    }
  }
}

extension QueryPart {
  fileprivate var isProperty: Bool { if case .property = self { true } else { false } }
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}

extension String {
  /// Whether the property of this name has elements.
  fileprivate var isCollection: Bool {
    [
      "ints", "maybeInts", "doubles", "decimals", "strings", "anys", "parts", "partSet", "boxes",
      "intMap", "stringMap", "partMap", "previous", "tags", "wholes", "lists",
    ].contains(self)
  }
}
