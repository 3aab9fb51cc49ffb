/// Values of objects that were deleted, and old values of those that were changed, by class,
/// identity and column.
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

  /// As JSON; nil for none.
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
