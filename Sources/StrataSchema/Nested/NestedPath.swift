/// One step into a list or a dictionary.
package enum NestedStep: Sendable, Hashable {
  /// The element of a list at a position.
  case index(Int)
  /// The value of a key of a dictionary.
  case key(String)
  /// Each element of a list, or each value of a dictionary.
  case any
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
