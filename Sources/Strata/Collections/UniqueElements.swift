import StrataSchema
import StrataStorage
import Synchronization

/// The distinct elements of a set in memory, with an index of their positions.
///
/// The elements are in insertion order, except that the last one replaces a removed one.
struct UniqueElements<Element: RealmCollectionValue> {
  private(set) var elements: [Element] = []
  /// The positions of values and of managed objects, whose hashes never change.
  private var places: [ElementKey: Int] = [:]
  /// The positions of objects by instance. An unmanaged object equals only itself.
  private var instances: [ObjectIdentifier: Int] = [:]
  /// The objects that were unmanaged when they were inserted. Adding them to a realm changes their
  /// hash.
  private var unsettled: Set<ObjectIdentifier> = []
  /// The number of added objects when `unsettled` was last checked.
  private var additions = 0

  private enum Kind {
    case value
    case object(ObjectBase)
    /// An element whose hash may change at any time: a list or a dictionary, or a row of a
    /// migration.
    case changing
  }

  private static func kind(of element: Element) -> Kind {
    let type = Element._elementType
    // Checking whether a value is an object takes longer than looking it up.
    guard type == .object || type == .any else { return .value }
    if let object = element.linkedObject { return .object(object) }
    let isValue = type == .any ? !element.isNestedValue : Element.isStoredAsObject
    return isValue ? .value : .changing
  }

  /// The position of the element that equals the given one; nil if the set doesn't contain it.
  mutating func place(of element: Element) -> Int? {
    switch Self.kind(of: element) {
    case .value: return places[ElementKey(element)]
    case .changing: return elements.firstIndex(of: element)
    case .object(let object):
      if let place = instances[ObjectIdentifier(object)] { return place }
      guard let context = object.managedContext else { return nil }
      // In a migration, one object stands for different rows over time.
      guard context.file != nil else { return elements.firstIndex(of: element) }
      settle()
      return places[ElementKey(element)]
    }
  }

  mutating func insert(_ element: Element) {
    guard place(of: element) == nil else { return }
    let place = elements.count
    elements.append(element)
    switch Self.kind(of: element) {
    case .value: places[ElementKey(element)] = place
    case .changing: break
    case .object(let object):
      instances[ObjectIdentifier(object)] = place
      if object.managedContext?.file == nil {
        unsettled.insert(ObjectIdentifier(object))
      } else {
        places[ElementKey(element)] = place
      }
    }
  }

  /// - Returns: The removed element. The caller must release it: its deinitializer may run code of
  ///   the program, which may use the set.
  mutating func remove(_ element: Element) -> Element? {
    guard let place = place(of: element) else { return nil }
    let removed = elements[place]
    setPlace(of: removed, from: place, to: nil)
    let last = elements.removeLast()
    if place < elements.count {
      elements[place] = last
      setPlace(of: last, from: elements.count, to: place)
    }
    return removed
  }

  private mutating func setPlace(of element: Element, from old: Int, to new: Int?) {
    switch Self.kind(of: element) {
    case .changing: return
    case .value: break
    case .object(let object):
      let instance = ObjectIdentifier(object)
      instances[instance] = new
      if unsettled.contains(instance) {
        if new == nil { unsettled.remove(instance) }
        return
      }
    }
    let key = ElementKey(element)
    // Two objects in the set may have become the same row.
    if places[key] == old { places[key] = new }
  }

  /// Moves the objects that were added to a realm since the last check.
  private mutating func settle() {
    let count = AddedObjects.count.load(ordering: .relaxed)
    guard !unsettled.isEmpty, additions != count else { return }
    additions = count
    for instance in unsettled {
      guard let place = instances[instance],
        elements[place].linkedObject?.managedContext?.file != nil
      else { continue }
      unsettled.remove(instance)
      let key = ElementKey(elements[place])
      if places[key] == nil { places[key] = place }
    }
  }
}

/// The number of objects in memory that were added to any realm, in the whole process.
enum AddedObjects {
  static let count = Atomic<Int>(0)
}

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
/// Texts are compared by their bytes, also texts that are the stored form of a custom type. NaN is
/// one value.
struct ElementKey: Hashable {
  private let value: AnyHashable

  init<Element: RealmCollectionValue>(_ element: Element) {
    if Element._elementType == .string {
      value = Self.text(element)
    } else {
      value = element == element ? AnyHashable(element) : AnyHashable(NotANumber(element))
    }
  }

  /// NaN of one type, which an `AnyRealmValue` may have of several types.
  private struct NotANumber: Hashable {
    private let type: ObjectIdentifier

    init<Element: RealmCollectionValue>(_ element: Element) {
      type = ObjectIdentifier(Swift.type(of: unwrapped(element._dynamicElement) ?? element as Any))
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

  /// The position of the first element that is the same as a given one; nil if not found.
  func position(of element: Element) -> Int? {
    // `==` is the same for all elements but texts and NaN.
    guard Element._elementType == .string || element != element else {
      return enumerated().first { $0.element == element }?.offset
    }
    let key = ElementKey(element)
    return enumerated().first { ElementKey($0.element) == key }?.offset
  }
}
