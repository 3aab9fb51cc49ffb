import StrataSchema
import StrataStorage

extension RealmCollectionValue {
  /// Whether elements are stored as objects and made again for each read: compared one by one.
  static var isStoredAsObject: Bool { _elementClass != nil && self is any _CustomPersistable.Type }

  /// What to look for in a collection; nil for what can't be in any. Adds no object.
  func storedForSearch(in rows: _CollectionRows) -> _StoredElement? {
    let linked = linkedObject
    // An object of a migration is found by its row, which is never made for it.
    if let linked, !(linked is LinkInMigration) {
      guard linked.managedContext != nil else { return nil }
      let isAny = Self._elementType == .any
      let type = isAny ? _StoredElement.typeName(ofLinkTo: type(of: linked).className()) : nil
      let stored = _StoredElement(.integer(linked._rowID), type: type)
      // One of another file may have the same row.
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

  /// Whether it is an object that is in a realm, or the value of any type that holds one.
  var isManagedObject: Bool { linkedObject?.managedContext != nil }

  /// The object that it is, shows, or holds as a value of any type.
  var linkedObject: ObjectBase? {
    if Self.self == AnyRealmValue.self {
      if case .object(let object)? = self as? AnyRealmValue { return object }
      return nil
    }
    return _shownObject
  }

  /// Whether it is a list or a dictionary as a value of any type.
  var isNestedValue: Bool {
    Self.self == AnyRealmValue.self && (self as? AnyRealmValue)?.isNested == true
  }
}

/// An element as collections in memory know it: equal to those that a file keeps as the same.
///
/// Texts are told apart by their bytes, also those that a custom type is kept as.
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
  /// Whether the elements are the same as those of another sequence, in the same order.
  func isSame(as other: some Sequence<Element>) -> Bool {
    lazy.map { ElementKey($0) }.elementsEqual(other.lazy.map { ElementKey($0) })
  }
}
