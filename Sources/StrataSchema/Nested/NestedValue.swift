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

/// One step into a list or a dictionary.
package enum NestedStep: Sendable, Hashable {
  /// The element of a list at a position.
  case index(Int)
  /// The value of a key of a dictionary.
  case key(String)
  /// Each element of a list, or each value of a dictionary.
  case any

  package static func == (first: NestedStep, second: NestedStep) -> Bool {
    switch (first, second) {
    case (.index(let one), .index(let other)): one == other
    case (.key(let one), .key(let other)): StoredText(one) == StoredText(other)
    case (.any, .any): true
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .index(let index): hasher.combine(index)
    case .key(let key): hasher.combine(StoredText(key))
    case .any: break
    }
  }
}

extension NestedValue {
  /// Returns the values at the end of some steps: none if a step has no value, several after an
  /// `any`.
  package func values(at path: some Sequence<NestedStep>) -> [NestedValue] {
    var values = [self]
    for step in path { values = values.flatMap { $0.values(at: step) } }
    return values
  }

  private func values(at step: NestedStep) -> [NestedValue] {
    switch (self, step) {
    case (.list(let items), .index(let index)):
      items.indices.contains(index) ? [items[index]] : []
    case (.dictionary(let entries), .key(let key)):
      entries.first { $0.key.utf8.elementsEqual(key.utf8) }.map { [$0.value] } ?? []
    case (.list(let items), .any): items
    case (.dictionary(let entries), .any): entries.map(\.value)
    default: []
    }
  }
}

/// Steps as the text that queries pass to SQLite: `[0,"key",null]`.
package struct NestedPath: Sendable, Hashable {
  package var steps: [NestedStep]

  package init(_ steps: [NestedStep]) { self.steps = steps }

  package var text: String {
    NestedValue.list(
      steps.map { step in
        switch step {
        case .index(let index): .value(.integer(Int64(index)), .int)
        case .key(let key): .value(.text(key), .string)
        case .any: .null
        }
      }
    ).text
  }

  /// Reads the result of ``text``; nil for anything else.
  package init?(text: String) {
    let value = NestedValue(.text(text), typeName: NestedKind.list.rawValue)
    guard case .list(let items)? = value else { return nil }
    steps = []
    for item in items {
      switch item {
      case .value(.integer(let index), .int): steps.append(.index(Int(index)))
      case .value(.text(let key), .string): steps.append(.key(key))
      case .null: steps.append(.any)
      default: return nil
      }
    }
  }
}

/// The SQL functions that read nested collections.
package enum NestedFunctions {
  /// The type of a text that is one value of a collection.
  package static let element = "json"

  private static func value(_ stored: StoredValue, _ typeName: String) -> NestedValue? {
    guard typeName == element else { return NestedValue(stored, typeName: typeName) }
    guard case .text(let text) = stored else { return nil }
    return NestedValue(readable: text)
  }

  /// Returns the value at the end of a path; nil if there is no such value.
  package static func value(
    _ stored: StoredValue, _ typeName: String, at path: String
  ) -> NestedValue? {
    guard let path = NestedPath(text: path) else { return nil }
    return value(stored, typeName)?.values(at: path.steps).first
  }

  /// Returns the texts of all values at the end of a path, as a JSON array.
  package static func all(_ stored: StoredValue, _ typeName: String, at path: String) -> String {
    guard let path = NestedPath(text: path) else { return "[]" }
    let values = value(stored, typeName)?.values(at: path.steps) ?? []
    return NestedValue.list(values.map { .value(.text($0.text), .string) }).text
  }

  /// Returns a collection with its links to one class replaced by links to another class, or by
  /// nil. Returns nil if it has no such link.
  package static func relinked(
    _ stored: StoredValue, _ typeName: String, from className: String, to newName: String?
  ) -> String? {
    guard let value = value(stored, typeName) else { return nil }
    var hasLink = false
    let result = value.mapLinks { name, row in
      guard name == className else { return .link(className: name, row: row) }
      hasLink = true
      return newName.map { .link(className: $0, row: row) } ?? .null
    }
    return hasLink ? result.text : nil
  }

  /// Whether a collection links to an object of a class: to one row, or to any.
  package static func links(
    _ stored: StoredValue, _ typeName: String, to className: String, row: Int64?
  ) -> Bool {
    var found = false
    value(stored, typeName)?.forEach { value in
      if case .link(className, let target) = value, row == nil || row == target { found = true }
    }
    return found
  }
}
