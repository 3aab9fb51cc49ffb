import Foundation
import RealmFileKit

@testable import Strata
@testable import StrataStorage

/// The values of a converted file in a migration, as texts of ``ExpectedValue``.
struct SeenValue {
  /// By class, the keys that objects had, by identity.
  var keys: [String: [Int64: Int64]]

  func text(_ value: Any?, of property: JSONValue) -> String {
    let collection = property["collection"].text
    if collection == nil, let nested = nested(flat(value)) { return nested }
    if collection == nil, property["type"] == .string("mixed"), flat(value) != nil,
      !(flat(value) is DynamicObject)
    {
      // A property of `AnyRealmValue` is read as what is in it.
      return "mixed " + text(value)
    }
    return switch (collection, value) {
    case ("dictionary", let map as any Entries):
      map.entries.map { "\($0.key.unicodeScalars.map(\.value)): \(text($0.value))" }.sorted()
        .joined(separator: "; ")
    case ("set", let set as any Sequence):
      texts(set).sorted().joined(separator: "; ")
    case ("list", let list as any Sequence): texts(list).joined(separator: "; ")
    case (nil, let value): text(value)
    case (let kind?, let value): "not expected: \(kind) \(String(describing: value))"
    }
  }

  private func texts(_ elements: some Sequence) -> [String] { elements.map { text($0) } }

  private func text(_ value: Any?) -> String {
    switch flat(value).map(unboxedNumber) {
    case nil: ExpectedValue.null
    case let value as AnyRealmValue: mixed(value)
    case let value as DynamicObject: link(value)
    case let value as Bool: "bool \(value)"
    case let value as Int: "int \(value)"
    case let value as Float: "real \(Double(value))"
    case let value as Double: "real \(value)"
    case let value as String: "string '\(value.unicodeScalars.map(\.value))'"
    case let value as Data: "data \(value.map { String(format: "%02x", $0) }.joined())"
    case let value as Date: "date \(DateText.encode(value) ?? "")"
    case let value as Decimal128: "decimal \(value.exactText)"
    case let value as ObjectId: "objectId \(value)"
    case let value as UUID: "uuid \(value.uuidString)"
    default: "not expected: \(String(describing: value))"
    }
  }

  private func mixed(_ value: AnyRealmValue) -> String {
    if case .none = value { return ExpectedValue.null }
    if let object = value.dynamicObject { return link(object) }
    if let nested = nested(value.rawValue) { return nested }
    return "mixed " + text(value.rawValue)
  }

  /// A list or a dictionary in an `AnyRealmValue`; nil for anything else.
  private func nested(_ value: Any?) -> String? {
    if let list = value as? List<AnyRealmValue> { return ExpectedValue.list(list.map(mixed)) }
    guard let map = value as? Map<String, AnyRealmValue> else { return nil }
    return ExpectedValue.dictionary(map.map { ($0.key, mixed($0.value)) })
  }

  private func link(_ object: DynamicObject) -> String {
    let name = object.table.className
    return "\(name) \(keys[name]?[object.rowID].map { "\($0)" } ?? "?")"
  }

  /// A value inside of any number of optionals.
  private func flat(_ value: Any?) -> Any? {
    guard let value else { return nil }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first.flatMap { flat($0.value) }
  }
}

private protocol Entries {
  var entries: [(key: String, value: Any?)] { get }
}

extension Map: Entries where Key == String {
  fileprivate var entries: [(key: String, value: Any?)] { keys.map { ($0, self[$0] as Any?) } }
}
