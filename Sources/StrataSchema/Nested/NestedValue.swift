/// A list or a dictionary inside an `AnyRealmValue`, or a value in one.
///
/// A nested value depends on no database and no object: a link is the name of a class and an
/// identity.
package indirect enum NestedValue: Sendable, Hashable {
  case null
  /// A single value, in the form that a column of its type stores.
  case value(StoredValue, PropertyType)
  /// An object, by its class and its row.
  case link(className: String, row: Int64)
  case list([NestedValue])
  /// The entries in the order of their keys, without duplicates.
  case dictionary([NestedEntry])

  /// The greatest number of nested collections, which is Realm's limit.
  package static let maxLevels = 100
}

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

/// The collections that an `AnyRealmValue` can hold. The raw value is the text in the type column.
package enum NestedKind: String, Sendable, Hashable, CaseIterable {
  case list
  case dictionary
}

extension NestedValue {
  /// Returns a dictionary of entries in any order. The last one of several entries with the same
  /// key is kept.
  package static func dictionary(unordered entries: [NestedEntry]) -> NestedValue {
    var byKey: [StoredText: NestedEntry] = [:]
    for entry in entries { byKey[StoredText(entry.key)] = entry }
    return .dictionary(byKey.values.sorted { SQLName.precedes($0.key, $1.key) })
  }

  /// The kind of collection; nil for other values.
  package var kind: NestedKind? {
    switch self {
    case .list: .list
    case .dictionary: .dictionary
    case .null, .value, .link: nil
    }
  }

  /// The number of nested collections, including this one; 0 for a value that is no collection.
  package var levels: Int {
    switch self {
    case .null, .value, .link: 0
    case .list(let items): 1 + (items.lazy.map(\.levels).max() ?? 0)
    case .dictionary(let entries): 1 + (entries.lazy.map(\.value.levels).max() ?? 0)
    }
  }

  /// The text in the type column of the value; nil for nil.
  package var typeName: String? {
    switch self {
    case .null: nil
    case .value(_, let type): type.rawValue
    case .link(let className, _): "<\(className)>"
    case .list: NestedKind.list.rawValue
    case .dictionary: NestedKind.dictionary.rawValue
    }
  }

  /// The value in its column; for a collection its text.
  package var stored: StoredValue {
    switch self {
    case .null: .null
    case .value(let value, _): value
    case .link(_, let row): .integer(row)
    case .list, .dictionary: .text(text)
    }
  }

  /// Calls a closure for all single values and links in the value.
  package func forEach(_ body: (NestedValue) -> Void) {
    switch self {
    case .null, .value, .link: body(self)
    case .list(let items): for item in items { item.forEach(body) }
    case .dictionary(let entries): for entry in entries { entry.value.forEach(body) }
    }
  }

  /// Returns the value with each link replaced by the result of a closure.
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
