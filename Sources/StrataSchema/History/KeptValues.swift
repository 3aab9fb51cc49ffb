/// The values of deleted objects, and old values of changed ones, by class, identity and column.
///
/// ```json
/// {"Person":{"3":{"name":"Ada"}}}
/// ```
package struct KeptValues: Sendable, Hashable {
  package private(set) var values: [String: [Int64: [String: StoredValue]]] = [:]

  package init() {}

  package var isEmpty: Bool { values.isEmpty }

  package mutating func keep(_ value: StoredValue, _ column: String, of row: Int64, in name: String)
  {
    values[name, default: [:]][row, default: [:]][column] = value
  }

  package subscript(className: String, row: Int64) -> [String: StoredValue] {
    values[className]?[row] ?? [:]
  }

  /// The values as JSON; nil if empty.
  package var text: String? {
    guard !isEmpty else { return nil }
    return NestedValue.dictionary(of: values) { rows in
      .dictionary(of: rows) { columns in .dictionary(of: columns) { Self.nested($0) } }
    }.text
  }

  private static func nested(_ value: StoredValue) -> NestedValue {
    switch value {
    case .null: .null
    case .integer: .value(value, .int)
    case .real: .value(value, .double)
    case .text: .value(value, .string)
    case .blob: .value(value, .data)
    }
  }

  /// Reads ``text``; nil for another text.
  package init?(_ text: String) {
    guard let classes = NestedValue(readable: text)?.entries else { return nil }
    for object in classes {
      guard let rows = object.value.entries else { return nil }
      for entry in rows {
        guard let row = Int64(entry.key), let columns = entry.value.entries else { return nil }
        for column in columns {
          switch column.value {
          case .null: keep(.null, column.key, of: row, in: object.key)
          case .value(let value, _): keep(value, column.key, of: row, in: object.key)
          case .link, .list, .dictionary: return nil
          }
        }
      }
    }
  }
}

// The texts of the history are JSON of the same form as nested values, and are read by the same
// reader.
extension NestedValue {
  static func text(_ text: String) -> NestedValue { .value(.text(text), .string) }

  static func integer(_ number: Int64) -> NestedValue { .value(.integer(number), .int) }

  static func list(of texts: some Sequence<String>) -> NestedValue { .list(texts.map(text)) }

  /// Returns a dictionary, with the result of a closure for each value.
  static func dictionary<Key: CustomStringConvertible, Value>(
    of values: [Key: Value], _ nested: (Value) -> NestedValue
  ) -> NestedValue {
    .dictionary(
      unordered: values.map { NestedEntry(key: $0.key.description, value: nested($0.value)) })
  }

  var string: String? {
    if case .value(.text(let text), .string) = self { text } else { nil }
  }

  var number: Int64? {
    if case .value(.integer(let number), .int) = self { number } else { nil }
  }

  var bool: Bool? {
    if case .value(.integer(let number), .bool) = self { number != 0 } else { nil }
  }

  var items: [NestedValue]? {
    if case .list(let items) = self { items } else { nil }
  }

  var entries: [NestedEntry]? {
    if case .dictionary(let entries) = self { entries } else { nil }
  }

  /// Returns the value of a key in a dictionary. Keys are compared byte for byte.
  func member(_ key: String) -> NestedValue? {
    entries?.first { SQLName.same($0.key, key) }?.value
  }

  /// The texts of a list; nil if it contains anything else.
  var strings: [String]? {
    guard let items else { return nil }
    let strings = items.compactMap(\.string)
    return strings.count == items.count ? strings : nil
  }

  /// Returns the values of a dictionary by their keys; nil if a closure returns nil for one.
  func members<Value>(_ read: (NestedValue) -> Value?) -> [String: Value]? {
    guard let entries else { return nil }
    var result: [String: Value] = [:]
    for entry in entries {
      guard let value = read(entry.value) else { return nil }
      result[entry.key] = value
    }
    return result
  }
}
