import StrataSchema
import StrataStorage

extension Draft {
  /// The changes that set these values in an existing object.
  func changes(of link: ObjectLink, _ state: StateReader) throws -> [Edit] {
    var edits: [Edit] = []
    for part in values where !part.property.isPrimaryKey {
      let place = Place(object: link, property: part.property)
      edits.append(.set(place, was: .anything, to: part.value))
    }
    for collection in collections {
      let place = Place(object: link, property: collection.property)
      let elements = try state.elements(place)
      switch collection.property.collection {
      case .list:
        for index in elements.indices.reversed() {
          edits.append(.removeAt(place, at: index, was: .anything))
        }
        for element in collection.elements {
          edits.append(.insert(place, at: nil, element.value))
        }
      case .set:
        for element in elements {
          edits.append(.removeValue(place, .stored(element.value)))
        }
        var inserted: Set<_StoredElement> = []
        for case .stored(let stored) in collection.elements.map(\.value)
        where inserted.insert(stored).inserted {
          edits.append(.insert(place, at: nil, .stored(stored)))
        }
      case .map:
        for element in elements {
          edits.append(.removeKey(place, key: element.key.text, was: .anything))
        }
        for element in collection.elements {
          edits.append(.setKey(place, key: element.key, was: .absent, to: element.value))
        }
      case nil: break
      }
    }
    return edits
  }
}

extension ObjectSchema {
  /// The property for a column name: `Full name` and `full_name` match `fullName`.
  subscript(named name: String) -> Property? {
    func simple(_ name: String) -> String {
      name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    if let property = self[name] { return property }
    // Without a primary key, exports contain the identity, which is no property.
    if primaryKeyProperty == nil, name == identityColumn { return nil }
    return properties.first { simple($0.name) == simple(name) }
  }
}

extension Draft {
  /// The values of the object and the elements of its collections.
  var parts: [(property: Property, value: NewValue)] {
    values.map { ($0.property, $0.value) }
      + collections.flatMap { part in part.elements.map { (part.property, $0.value) } }
  }

  /// The class of each embedded object in the draft.
  var embeddedClasses: [String] { parts.flatMap(\.value.embeddedClasses) }
}

extension NewValue {
  var embeddedClasses: [String] {
    if case .embedded(let child) = self { [child.className] + child.embeddedClasses } else { [] }
  }
}

extension Edit {
  /// The class of each embedded object that the change creates.
  var embeddedClasses: [String] {
    switch self {
    case .create(let draft, _): draft.embeddedClasses
    case .set(_, _, let value), .insert(_, _, let value), .setKey(_, _, _, let value):
      value.embeddedClasses
    default: []
    }
  }
}
