/// A list or a dictionary inside of an `AnyRealmValue`, or something in one.
///
/// Knows no database and no object: a link is the name of a class and an identity.
package indirect enum NestedValue: Sendable, Hashable {
  case null
  /// A single value, as a column of its type holds it.
  case value(StoredValue, PropertyType)
  /// An object, by its class and its row.
  case link(className: String, row: Int64)
  case list([NestedValue])
  /// The entries in the order of their keys, each key once.
  case dictionary([NestedEntry])

  /// How many collections may be inside of each other; Realm's limit.
  package static let mostLevels = 100
}

/// A key of a dictionary, and its value.
package struct NestedEntry: Sendable, Hashable {
  package var key: String
  package var value: NestedValue

  package init(key: String, value: NestedValue) {
    self.key = key
    self.value = value
  }

  package static func == (first: NestedEntry, second: NestedEntry) -> Bool {
    StoredText(first.key) == StoredText(second.key) && first.value == second.value
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(StoredText(key))
    hasher.combine(value)
  }
}

/// The collections that an `AnyRealmValue` can hold; the raw value is what the column of types
/// says.
package enum NestedKind: String, Sendable, Hashable, CaseIterable {
  case list
  case dictionary
}

extension NestedValue {
  /// A dictionary of entries in any order; of the entries with the same key the last one stays.
  package static func dictionary(unordered entries: [NestedEntry]) -> NestedValue {
    var byKey: [StoredText: NestedEntry] = [:]
    for entry in entries { byKey[StoredText(entry.key)] = entry }
    return .dictionary(byKey.values.sorted { SQLName.precedes($0.key, $1.key) })
  }

  /// Which collection it is; nil for what is none.
  package var kind: NestedKind? {
    switch self {
    case .list: .list
    case .dictionary: .dictionary
    case .null, .value, .link: nil
    }
  }

  /// How many collections are inside of each other, this one included; 0 for what is no collection.
  package var levels: Int {
    switch self {
    case .null, .value, .link: 0
    case .list(let items): 1 + (items.lazy.map(\.levels).max() ?? 0)
    case .dictionary(let entries): 1 + (entries.lazy.map(\.value.levels).max() ?? 0)
    }
  }

  /// What the column of types says of the value beside it; nil for nil.
  package var typeName: String? {
    switch self {
    case .null: nil
    case .value(_, let type): type.rawValue
    case .link(let className, _): "<\(className)>"
    case .list: NestedKind.list.rawValue
    case .dictionary: NestedKind.dictionary.rawValue
    }
  }

  /// What the column of the value holds; of a collection its text.
  package var stored: StoredValue {
    switch self {
    case .null: .null
    case .value(let value, _): value
    case .link(_, let row): .integer(row)
    case .list, .dictionary: .text(text)
    }
  }

  /// All single values and links in it.
  package func forEach(_ body: (NestedValue) -> Void) {
    switch self {
    case .null, .value, .link: body(self)
    case .list(let items): for item in items { item.forEach(body) }
    case .dictionary(let entries): for entry in entries { entry.value.forEach(body) }
    }
  }

  /// The value with each link replaced by what a function says.
  package func mapLinks(_ body: (_ className: String, _ row: Int64) -> NestedValue) -> NestedValue {
    switch self {
    case .null, .value: self
    case .link(let className, let row): body(className, row)
    case .list(let items): .list(items.map { $0.mapLinks(body) })
    case .dictionary(let entries):
      .dictionary(
        entries.map { NestedEntry(key: $0.key, value: $0.value.mapLinks(body)) })
    }
  }
}
