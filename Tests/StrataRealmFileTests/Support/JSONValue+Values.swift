import Foundation
import RealmFileKit
import StrataRealmFile

extension JSONValue {
  /// A value as the JSON files write it. A link of a property is a key, because the property names
  /// the class.
  init(_ value: RealmValue, of property: RealmProperty) {
    switch (value, property.collection) {
    case (.list(let values), .list):
      self = .array(values.map { JSONValue(element: $0, of: property) })
    case (.set(let values), .set):
      self = .unordered(values.map { JSONValue(element: $0, of: property) })
    case (.dictionary(let entries), .dictionary):
      self = .members(entries.map { ($0.key, JSONValue(element: $0.value, of: property)) })
    default: self = JSONValue(element: value, of: property)
    }
  }

  private init(element value: RealmValue, of property: RealmProperty) {
    if case .object(let link) = value, property.type == .object {
      self = link.className == property.target ? .int(link.objectKey) : .null
    } else {
      self = property.type == .mixed ? JSONValue(mixed: value) : JSONValue(single: value)
    }
  }

  private init(mixed value: RealmValue) {
    guard let type = Self.typeName(value) else {
      self = .null
      return
    }
    switch value {
    case .object(let link):
      self = .object([
        "type": .string(type), "class": .string(link.className), "value": .int(link.objectKey),
      ])
    case .list(let values):
      self = .object([
        "type": .string(type), "value": .array(values.map { JSONValue(mixed: $0) }),
      ])
    case .dictionary(let entries):
      self = .object([
        "type": .string(type),
        "value": .members(entries.map { ($0.key, JSONValue(mixed: $0.value)) }),
      ])
    default: self = .object(["type": .string(type), "value": JSONValue(single: value)])
    }
  }

  private init(single value: RealmValue) {
    switch value {
    case .null, .list, .set, .dictionary, .object: self = .null
    case .int(let value): self = .int(value)
    case .bool(let value): self = .bool(value)
    case .float(let value): self = .string(Self.hex(UInt64(value.bitPattern), digits: 8))
    case .double(let value): self = .string(Self.hex(value.bitPattern, digits: 16))
    case .string(let value): self = .string(value)
    case .data(let value):
      self = .string(value.map { Self.padded(UInt64($0), 2) }.joined())
    case .date(let value):
      self = .array([.int(value.seconds), .int(Int64(value.nanoseconds))])
    case .decimal(let value): self = .string(value.description)
    case .objectId(let value): self = .string(value.description)
    case .uuid(let value): self = .string(value.uuidString.lowercased())
    }
  }

  private static func members(_ entries: [(String, JSONValue)]) -> JSONValue {
    .object(Dictionary(entries) { first, _ in first })
  }

  private static func hex(_ bits: UInt64, digits: Int) -> String { "0x" + padded(bits, digits) }

  private static func padded(_ bits: UInt64, _ digits: Int) -> String {
    let text = String(bits, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }

  private static func typeName(_ value: RealmValue) -> String? {
    switch value {
    case .null, .set: nil
    case .int: "int"
    case .bool: "bool"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .decimal: "decimal"
    case .objectId: "objectId"
    case .uuid: "uuid"
    case .object: "object"
    case .list: "list"
    case .dictionary: "dictionary"
    }
  }

  /// The same value with what has no order in the order of ``init(_:of:)``.
  func normalized(_ property: RealmProperty) -> JSONValue {
    property.collection == .set && self != .null ? .unordered(elements) : self
  }
}
