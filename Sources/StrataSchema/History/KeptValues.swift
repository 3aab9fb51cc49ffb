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
    return NestedValue.dictionary(
      unordered: values.map { name, rows in
        NestedEntry(
          key: name,
          value: .dictionary(
            unordered: rows.map { row, columns in
              NestedEntry(
                key: "\(row)",
                value: .dictionary(
                  unordered: columns.map { NestedEntry(key: $0.key, value: Self.nested($0.value)) })
              )
            }))
      }
    ).text
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

  /// Returns a dictionary of texts.
  static func names(_ names: [String: String]) -> NestedValue {
    .dictionary(unordered: names.map { NestedEntry(key: $0.key, value: .text($0.value)) })
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

  /// The texts of a dictionary by their keys; nil if it contains anything else.
  var stringsByKey: [String: String]? {
    guard let entries else { return nil }
    var result: [String: String] = [:]
    for entry in entries {
      guard let string = entry.value.string else { return nil }
      result[entry.key] = string
    }
    return result
  }
}
