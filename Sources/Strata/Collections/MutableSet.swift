import IssueReporting
import StrataStorage

/// A collection of distinct values or objects that is a property of an object.
///
/// ```swift
/// class Person: Object { @Persisted var tags: MutableSet<String> }
/// try realm.write { ada.tags.insert("mathematician") }
/// ```
///
/// The order of the elements is not guaranteed: a managed set sorts them by their stored values.
/// Two objects are the same element if they are the same object. In all other respects a set
/// behaves like a ``List``.
public final class MutableSet<Element: RealmCollectionValue> {
  /// The elements while the set is in memory. Removed elements are released after the change: their
  /// deinitializers may use the set.
  private var memory = UniqueElements<Element>()
  var rows: _CollectionRows?

  /// Makes an empty set in memory.
  public init() {}

  /// The number of elements.
  public var count: Int { rows?.count ?? memory.elements.count }

  /// Whether the object of the set was deleted. The set is then empty.
  public var isInvalidated: Bool { rows?.isInvalidated ?? false }

  /// Whether an element is equal to the given one.
  public func contains(_ element: Element) -> Bool {
    guard let rows else { return memory.place(of: element) != nil }
    guard !Element.isStoredAsObject else { return contains { $0 == element } }
    return element.storedForSearch(in: rows).flatMap { rows.position(of: $0) } != nil
  }

  /// The position of an element in the set's current order, or nil.
  public func index(of element: Element) -> Int? {
    if rows == nil { return memory.place(of: element) }
    return contains(element) ? position(of: element) : nil
  }

  /// The first element in the set's current order, or nil.
  public var first: Element? {
    guard let rows else { return memory.elements.first }
    return rows.first.map { Element.readable($0, in: rows) }
  }

  /// The last element in the set's current order, or nil.
  public var last: Element? {
    guard let rows else { return memory.elements.last }
    return rows.last.map { Element.readable($0, in: rows) }
  }

  /// The element at a position. A position out of range stops the process.
  public subscript(position: Int) -> Element {
    if rows == nil, memory.elements.indices.contains(position) { return memory.elements[position] }
    if position >= 0, let rows, let stored = rows.element(at: position) {
      return Element.readable(stored, in: rows)
    }
    stopForProgrammerError(
      "Index \(position) is out of bounds (must be less than \(count)). ('MutableSet<"
        + "\(elementName(Element.self))>')")
  }

  /// Adds an element, unless the set contains it already.
  public func insert(_ element: Element) {
    guard let rows else { return memory.insert(element) }
    guard rows.canWrite() else { return }
    do throws(RealmError) {
      _ = rows.insert(try element._stored(in: rows))
    } catch {
      rows.record(error)
    }
  }

  /// Adds the elements that the set doesn't contain yet.
  public func insert(objectsIn elements: some Sequence<Element>) {
    for element in Array(elements) { insert(element) }
  }

  /// Removes an element, if the set contains it. An object stays in the realm.
  public func remove(_ element: Element) {
    guard let rows else {
      let removed = memory.remove(element)
      withExtendedLifetime(removed) {}
      return
    }
    guard rows.canWrite(), let stored = element.storedForSearch(in: rows) else { return }
    _ = rows.remove(stored)
  }

  /// Removes all elements.
  public func removeAll() {
    guard let rows else {
      forgetElements()
      return
    }
    if rows.canWrite() { rows.removeAll() }
  }
}

extension MutableSet {
  /// Whether each element is also in another set.
  public func isSubset(of possibleSuperset: MutableSet) -> Bool {
    allSatisfy(possibleSuperset.contains)
  }

  /// Whether the sets have an element in common.
  public func intersects(_ otherSet: MutableSet) -> Bool {
    contains(where: otherSet.contains)
  }

  /// Removes the elements that aren't in another set. `write` throws if the other set belongs to a
  /// deleted object, or contains frozen objects or objects of another file.
  public func formIntersection(_ other: MutableSet) {
    guard canHold(other) else { return }
    for element in Array(self) where !other.contains(element) { remove(element) }
  }

  /// Removes the elements that are in another set. `write` throws if the other set belongs to a
  /// deleted object, or contains frozen objects or objects of another file.
  public func subtract(_ other: MutableSet) {
    guard canHold(other) else { return }
    for element in Array(other) { remove(element) }
  }

  /// Whether another set can be compared with this one; records an error if not. The set of a
  /// deleted object is empty, but not on purpose, and managed objects in the other set must belong
  /// to this file.
  private func canHold(_ other: MutableSet) -> Bool {
    if other.isInvalidated {
      let error = RealmError(.fail, ErrorText.deleted)
      if let rows { rows.record(error) } else { reportIssue("\(error.message)") }
      return false
    }
    guard let rows, Element._elementType == .object || Element._elementType == .any else {
      return true
    }
    guard rows.canWrite() else { return false }
    do throws(RealmError) {
      for element in other where element.isManagedObject { _ = try element._stored(in: rows) }
      return true
    } catch {
      rows.record(error)
      return false
    }
  }

  /// Adds the elements of another set.
  public func formUnion(_ other: MutableSet) {
    insert(objectsIn: other)
  }
}

extension MutableSet: CollectionProperty {
  public typealias _Value = Element
  public static var _collection: CollectionKind? { .set }
  public static func _zero() -> MutableSet { MutableSet() }

  public static func _managed(
    _ stored: MutableSet, of owner: ObjectBase, _ slot: _PropertySlot
  ) -> MutableSet {
    managed(stored, of: owner, slot)
  }

  func replaceElements(by other: MutableSet) {
    let elements = Array(other)
    removeAll()
    insert(objectsIn: elements)
  }

  func assign(_ value: Any?) throws(RealmError) -> Bool {
    if let rows { return try Self.replaceElements(in: rows, by: value) }
    let elements: [Element]
    if let set = instance(of: MutableSet.self, value) {
      elements = Array(set)
    } else if let converted = try List<Element>.elements(of: value) {
      elements = converted
    } else {
      return false
    }
    removeAll()
    insert(objectsIn: elements)
    return true
  }

  func copy() -> any PersistedCollection {
    let copy = MutableSet()
    copy.insert(objectsIn: self)
    return copy
  }

  func forgetElements() {
    let removed = memory
    memory = UniqueElements()
    withExtendedLifetime(removed) {}
  }
}

extension MutableSet: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  /// Iterates over the elements that the set has now, without later changes.
  public func makeIterator() -> CollectionIterator<Element> {
    CollectionIterator(memory.elements, rows)
  }
}

extension MutableSet: CustomStringConvertible, NestedDescription {
  /// The type, and the first hundred elements, as RealmSwift prints them.
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    describeElements(
      "MutableSet<\(elementName(Element.self))> <\(Unmanaged.passUnretained(self).toOpaque())>",
      leading(100).map { $0._dynamicElement }, count: count, depth: depth)
  }
}

extension MutableSet: Hashable {
  /// Whether both are the same set of the same object; sets in memory are compared by elements.
  public static func == (first: MutableSet, second: MutableSet) -> Bool {
    areSame(first, second) {
      Set(first.map { ElementKey($0) }) == Set(second.map { ElementKey($0) })
    }
  }
}
