// The texts of the history are JSON of the same form as nested values, and read by the same reader.
extension NestedValue {
  /// A text as a JSON value.
  static func text(_ text: String) -> NestedValue { .value(.text(text), .string) }

  /// An integer as a JSON value.
  static func integer(_ number: Int64) -> NestedValue { .value(.integer(number), .int) }

  static func list(of texts: some Sequence<String>) -> NestedValue { .list(texts.map(text)) }

  /// A dictionary of texts.
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

  /// The value of a key of a dictionary; of a key that occurs, byte for byte.
  func member(_ key: String) -> NestedValue? {
    entries?.first { SQLName.same($0.key, key) }?.value
  }

  /// The texts of a list; nil if it has anything else.
  var strings: [String]? {
    guard let items else { return nil }
    let strings = items.compactMap(\.string)
    return strings.count == items.count ? strings : nil
  }

  /// The texts of a dictionary by their keys; nil if it has anything else.
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
