import Foundation
import StrataRealmFile

extension JSONTree {
  /// A value as the JSON files write it. A link of a property is a key, because the property names
  /// the class.
  init(_ value: RealmValue, of property: RealmProperty) {
    switch (value, property.collection) {
    case (.list(let values), .list):
      self = .array(values.map { JSONTree(element: $0, of: property) })
    case (.set(let values), .set):
      self = .unordered(values.map { JSONTree(element: $0, of: property) })
    case (.dictionary(let entries), .dictionary):
      self = .sorted(entries.map { ($0.key, JSONTree(element: $0.value, of: property)) })
    default: self = JSONTree(element: value, of: property)
    }
  }

  private init(element value: RealmValue, of property: RealmProperty) {
    if case .object(let link) = value, property.type == .object {
      self = link.className == property.target ? .number("\(link.objectKey)") : .null
    } else {
      self = property.type == .mixed ? JSONTree(mixed: value) : JSONTree(single: value)
    }
  }

  private init(mixed value: RealmValue) {
    guard let type = Self.typeName(value) else {
      self = .null
      return
    }
    switch value {
    case .object(let link):
      self = .sorted([
        ("type", .string(type)), ("class", .string(link.className)),
        ("value", .number("\(link.objectKey)")),
      ])
    case .list(let values):
      self = .sorted([
        ("type", .string(type)), ("value", .array(values.map { JSONTree(mixed: $0) })),
      ])
    case .dictionary(let entries):
      self = .sorted([
        ("type", .string(type)),
        ("value", .sorted(entries.map { ($0.key, JSONTree(mixed: $0.value)) })),
      ])
    default: self = .sorted([("type", .string(type)), ("value", JSONTree(single: value))])
    }
  }

  private init(single value: RealmValue) {
    switch value {
    case .null, .list, .set, .dictionary, .object: self = .null
    case .int(let value): self = .number("\(value)")
    case .bool(let value): self = .bool(value)
    case .float(let value): self = .string(Self.hex(UInt64(value.bitPattern), digits: 8))
    case .double(let value): self = .string(Self.hex(value.bitPattern, digits: 16))
    case .string(let value): self = .string(value)
    case .data(let value):
      self = .string(value.map { Self.padded(UInt64($0), 2) }.joined())
    case .date(let value):
      self = .array([.number("\(value.seconds)"), .number("\(value.nanoseconds)")])
    case .decimal(let value): self = .string(value.description)
    case .objectId(let value): self = .string(value.description)
    case .uuid(let value): self = .string(value.uuidString.lowercased())
    }
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

  /// The same tree with what has no order in the order of ``init(_:of:)``.
  func normalized(_ property: RealmProperty) -> JSONTree {
    switch (self, property.collection) {
    case (.array(let values), .set): .unordered(values.map(\.sortedMembers))
    case (.array(let values), .list): .array(values.map(\.sortedMembers))
    default: sortedMembers
    }
  }

  private var sortedMembers: JSONTree {
    switch self {
    case .array(let values): .array(values.map(\.sortedMembers))
    case .object(let members): .sorted(members.map { ($0.key, $0.value.sortedMembers) })
    default: self
    }
  }
}
