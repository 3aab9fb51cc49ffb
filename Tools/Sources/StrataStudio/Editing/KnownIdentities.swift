import StrataSchema
import StrataStorage

/// The identities of objects that were deleted and restored. An identity is never reused, so a
/// restored object has a new one, while older changes refer to the old one.
struct KnownIdentities: Sendable {
  private var newer: [ObjectLink: ObjectLink] = [:]

  mutating func record(_ old: ObjectLink, is new: ObjectLink) {
    if old != new { newer[old] = new }
  }

  /// The object under its current identity.
  subscript(link: ObjectLink) -> ObjectLink {
    var link = link
    while let next = newer[link] { link = next }
    return link
  }

  subscript(place: Place) -> Place {
    Place(object: self[place.object], property: place.property)
  }

  /// The value of a property, with current identities in its links.
  func resolved(_ element: _StoredElement, _ property: Property) -> _StoredElement {
    guard !newer.isEmpty else { return element }
    switch (property.type, element.value) {
    case (.object, .integer(let identity)):
      let link = ObjectLink(className: property.objectClassName ?? "", identity: identity)
      return _StoredElement(.integer(self[link].identity))
    case (.any, .integer(let identity)):
      guard let className = element.linkedClassName else { return element }
      let link = ObjectLink(className: className, identity: identity)
      return _StoredElement(.integer(self[link].identity), type: element.type)
    case (.any, _) where element.isNested:
      guard let value = NestedValue(element.value, typeName: element.type) else { return element }
      let mapped = value.mapLinks { className, row in
        let link = self[ObjectLink(className: className, identity: row)]
        return .link(className: className, row: link.identity)
      }
      // Another program's text may have spaces: unchanged values keep their text.
      return mapped == value ? element : _StoredElement(mapped.stored, type: element.type)
    default: return element
    }
  }

  func resolved(_ expected: Expected, _ property: Property) -> Expected {
    switch expected {
    case .stored(let element): return .stored(resolved(element, property))
    case .elements(let entries):
      return .elements(
        entries.map { StoredEntry(key: $0.key, value: resolved($0.value, property)) })
    case .anything, .wire, .absent: return expected
    }
  }
}
