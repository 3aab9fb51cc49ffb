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
