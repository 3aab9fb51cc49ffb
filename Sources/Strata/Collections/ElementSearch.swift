import StrataSchema
import StrataStorage

extension RealmCollectionValue {
  /// Whether elements are stored as objects and created by each read. They are then compared in
  /// memory.
  static var isStoredAsObject: Bool { _elementClass != nil && self is any _CustomPersistable.Type }

  /// The stored form to search for in a collection; nil for a value that no collection can contain.
  /// Adds no object.
  func storedForSearch(in rows: _CollectionRows) -> _StoredElement? {
    let linked = linkedObject
    // An object of a migration is found by its row. A search never creates one.
    if let linked, !(linked is LinkInMigration) {
      guard linked.managedContext != nil else { return nil }
      let isAny = Self._elementType == .any
      let type = isAny ? _StoredElement.typeName(ofLinkTo: type(of: linked).className()) : nil
      let stored = _StoredElement(.integer(linked._rowID), type: type)
      // An object of another file may have the same row.
      return rows.object(stored) as? ObjectBase == linked ? stored : nil
    }
    do {
      if let any = self as? AnyRealmValue, any.isNested {
        return _StoredElement(
          try any.nested { object throws(RealmError) in
            guard let stored = AnyRealmValue.object(object).storedForSearch(in: rows) else {
              throw RealmError(.fail, ErrorText.otherRealm)
            }
            return stored
          })
      }
      return try _stored(in: rows)
    } catch {
      return nil
    }
  }

  /// Whether the element is a managed object, or an `AnyRealmValue` with one.
  var isManagedObject: Bool { linkedObject?.managedContext != nil }

  /// The object that the element is, shows, or contains as an `AnyRealmValue`.
  var linkedObject: ObjectBase? {
    if Self.self == AnyRealmValue.self {
      if case .object(let object)? = self as? AnyRealmValue { return object }
      return nil
    }
    return _shownObject
  }

  /// Whether the element is an `AnyRealmValue` with a list or a dictionary.
  var isNestedValue: Bool {
    Self.self == AnyRealmValue.self && (self as? AnyRealmValue)?.isNested == true
  }
}

/// The identity of an element in memory. Two keys are equal if a file treats the elements as equal.
///
/// Texts are compared by their bytes, also texts that are the stored form of a custom type.
struct ElementKey: Hashable {
  private let value: AnyHashable

  init<Element: RealmCollectionValue>(_ element: Element) {
    if Element._elementType == .string {
      value = Self.text(element)
    } else {
      value = AnyHashable(element)
    }
  }

  private static func text<Element: RealmCollectionValue>(_ element: Element) -> AnyHashable {
    if Element.self == String.self {
      return AnyHashable(StoredText(unsafeBitCast(element, to: String.self)))
    }
    guard let text = unwrapped(element._dynamicElement) as? String else { return element }
    return AnyHashable(StoredText(text))
  }
}

extension Sequence where Element: RealmCollectionValue {
  /// Whether the elements are the same as the elements of another sequence, in the same order.
  func isSame(as other: some Sequence<Element>) -> Bool {
    lazy.map { ElementKey($0) }.elementsEqual(other.lazy.map { ElementKey($0) })
  }
}
