public import Foundation
import StrataStorage

/// An ordered collection of values or objects that is a property of an object.
///
/// ```swift
/// class Person: Object {
///   @Persisted var dogs: List<Dog>
///   @Persisted var nicknames: List<String>
/// }
/// try realm.write { ada.dogs.append(Dog(value: ["name": "Rex"])) }
/// ```
///
/// The list of a managed object is live: it shows the newest committed elements, changes only
/// inside `write`, and reads only the requested elements. Appending and inserting at the front cost
/// the same for any length. Inserting elsewhere may move the positions of the shorter side. The
/// list of an unmanaged object is in memory.
///
/// Errors are handled as for objects: changing a list outside of `write` stops the process, and
/// `write` throws for a value that can't be stored.
public final class List<Element: RealmCollectionValue> {
  /// The elements while the list is in memory. Removed elements are released after the change:
  /// their deinitializers run code of the program, which may use the list.
  private(set) var memory: [Element] = []
  var rows: _CollectionRows?

  /// Makes an empty list in memory.
  public init() {}

  /// The number of elements.
  public var count: Int { rows?.count ?? memory.count }

  /// Whether the object of the list was deleted. The list is then empty.
  public var isInvalidated: Bool { rows?.isInvalidated ?? false }

  /// The element at a position. A position out of range stops the process, as with an array.
  public subscript(position: Int) -> Element {
    get {
      guard let rows else {
        check(position, in: memory.indices)
        return memory[position]
      }
      guard position >= 0, let stored = rows.element(at: position) else {
        stopOutOfBounds(position, rows.count)
      }
      return Element.readable(stored, in: rows)
    }
    set { replace(index: position, object: newValue) }
  }

  /// The first element, or nil.
  public var first: Element? {
    guard let rows else { return memory.first }
    return rows.first.map { Element.readable($0, in: rows) }
  }

  /// The last element, or nil.
  public var last: Element? {
    guard let rows else { return memory.last }
    return rows.last.map { Element.readable($0, in: rows) }
  }

  /// The position of the first element that is equal to the given one, or nil.
  public func index(of element: Element) -> Int? {
    guard let rows else { return memory.position(of: element) }
    guard !Element.isStoredAsObject else { return position(of: element) }
    return element.storedForSearch(in: rows).flatMap { rows.position(of: $0) }
  }

  // MARK: Changing

  /// Adds an element at the end.
  public func append(_ element: Element) {
    guard let rows else { return memory.append(element) }
    guard rows.canWrite() else { return }
    do throws(RealmError) {
      let stored = try element._stored(in: rows)
      rows.insert([stored], at: rows.count)
    } catch {
      rows.record(error)
    }
  }

  /// Adds elements at the end, in order.
  public func append(objectsIn elements: some Sequence<Element>) {
    insert(elements, before: nil)
  }

  /// Adds elements at the end, in order.
  public func append(contentsOf elements: some Sequence<Element>) {
    insert(elements, before: nil)
  }

  /// Inserts an element before the one at a position. A position out of range stops the process.
  public func insert(_ element: Element, at position: Int) {
    check(position, in: 0...count)
    insert(CollectionOfOne(element), before: position)
  }

  /// Inserts elements before the one at a position. A position out of range stops the process.
  public func insert(contentsOf elements: some Collection<Element>, at position: Int) {
    check(position, in: 0...count)
    insert(elements, before: position)
  }

  private func insert(_ new: some Sequence<Element>, before position: Int?) {
    guard let rows else {
      // The sequence may read this list.
      let new = Array(new)
      memory.insert(contentsOf: new, at: position ?? memory.count)
      return
    }
    guard let stored = stored(new, in: rows), !stored.isEmpty else { return }
    rows.insert(stored, at: position ?? rows.count)
  }

  /// The stored forms of the elements; nil after an error, which is recorded.
  private func stored(
    _ elements: some Sequence<Element>, in rows: _CollectionRows
  ) -> [_StoredElement]? {
    guard rows.canWrite() else { return nil }
    var stored: [_StoredElement] = []
    do throws(RealmError) {
      for element in elements { stored.append(try element._stored(in: rows)) }
    } catch {
      rows.record(error)
      return nil
    }
    return stored
  }

  /// Replaces stored elements. The new ones are converted before the first old one is removed.
  func replaceStored(_ positions: Range<Int>, with new: [Element]) {
    check(positions.lowerBound, in: 0...count)
    check(positions.upperBound, in: 0...count)
    guard let rows, let stored = stored(new, in: rows) else { return }
    rows.remove(positions)
    if !stored.isEmpty { rows.insert(stored, at: positions.lowerBound) }
  }

  /// Replaces the element at a position. A position out of range stops the process.
  public func replace(index position: Int, object element: Element) {
    check(position, in: 0..<count)
    guard let rows else {
      let before = memory[position]
      memory[position] = element
      withExtendedLifetime(before) {}
      return
    }
    guard let stored = stored(CollectionOfOne(element), in: rows) else { return }
    rows.replace(at: position, with: stored[0])
  }

  /// Removes the element at a position. An object stays in the realm unless it is embedded.
  public func remove(at position: Int) {
    check(position, in: 0..<count)
    removeSubrange(position..<position + 1)
  }

  /// Removes elements. Positions out of range stop the process.
  public func removeSubrange(_ positions: Range<Int>) {
    check(positions.lowerBound, in: 0...count)
    check(positions.upperBound, in: 0...count)
    guard let rows else {
      let removed = Array(memory[positions])
      memory.removeSubrange(positions)
      withExtendedLifetime(removed) {}
      return
    }
    if rows.canWrite() { rows.remove(positions) }
  }

  /// Removes all elements.
  public func removeAll() {
    guard let rows else { return forgetElements() }
    if rows.canWrite() { rows.removeAll() }
  }

  /// Moves an element, so that it is at the given position afterwards.
  public func move(from source: Int, to destination: Int) {
    let indices = 0..<count
    check(source, in: indices)
    check(destination, in: indices)
    guard source != destination else { return }
    guard let rows else {
      memory.insert(memory.remove(at: source), at: destination)
      return
    }
    if rows.canWrite() { rows.move(from: source, to: destination) }
  }

  /// Swaps two elements.
  public func swapAt(_ first: Int, _ second: Int) {
    guard first != second else { return check(first, in: 0..<count) }
    let (lower, upper) = (Swift.min(first, second), Swift.max(first, second))
    move(from: upper, to: lower)
    if upper > lower + 1 { move(from: lower + 1, to: upper) }
  }

  private func check(_ position: Int, in range: some RangeExpression<Int>) {
    guard !range.contains(position) else { return }
    stopOutOfBounds(position, count)
  }

  private func stopOutOfBounds(_ position: Int, _ count: Int) -> Never {
    stopForProgrammerError(
      "Index \(position) is out of bounds (must be less than \(count)). ('List<"
        + "\(elementName(Element.self))>')"
    )
  }
}

extension List: CollectionProperty {
  public typealias _Value = Element
  public static var _collection: CollectionKind? { .list }
  public static func _zero() -> List { List() }

  public static func _managed(_ stored: List, of owner: ObjectBase, _ slot: _PropertySlot) -> List {
    managed(stored, of: owner, slot)
  }

  func replaceElements(by other: List) {
    let elements = Array(other)
    removeAll()
    append(objectsIn: elements)
  }

  func assign(_ value: Any?) throws(RealmError) -> Bool {
    if let rows { return try Self.replaceElements(in: rows, by: value) }
    guard let new = try Self.elements(of: value) else { return false }
    removeAll()
    append(objectsIn: new)
    return true
  }

  /// Converts a value of unknown type to elements; nil if it isn't a sequence, or an element
  /// doesn't fit.
  static func elements(of value: Any?) throws(RealmError) -> [Element]? {
    if let list = instance(of: List.self, value) { return Array(list) }
    guard let values = sequence(value) else { return nil }
    var elements: [Element] = []
    for value in values {
      // A custom type that is stored as an object accepts nil in other places, but not here.
      if value == nil, Element._elementClass != nil { return nil }
      guard let element = try Element._convertElement(value) else { return nil }
      elements.append(element)
    }
    return elements
  }

  func copy() -> any PersistedCollection {
    let copy = List()
    copy.append(objectsIn: self)
    return copy
  }

  func forgetElements() {
    let removed = memory
    memory = []
    withExtendedLifetime(removed) {}
  }
}

/// The values of a sequence of unknown type. Empty for nil; nil for other values.
func sequence(_ value: Any?) -> [Any?]? {
  switch unwrapped(value) {
  case nil: []
  case is String: nil
  case let array as [Any?]: array.map { unwrapped($0) }
  case let sequence as any Sequence: sequence.map { unwrapped($0 as Any) }
  default: nil
  }
}

/// The methods that lists in a user interface call when rows are deleted and moved.
extension List {
  /// Removes the elements at some positions.
  public func remove(atOffsets offsets: IndexSet) {
    for range in offsets.rangeView.reversed() { removeSubrange(range) }
  }

  /// Moves the elements at `offsets` in front of the element that was at `destination` before the
  /// move.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    var target = destination
    for source in offsets.reversed() where source < destination {
      target -= 1
      move(from: source, to: target)
    }
    target = destination
    for source in offsets where source >= destination {
      move(from: source, to: target)
      target += 1
    }
  }
}

extension List: RandomAccessCollection, MutableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  /// Iterates over the elements that the list has now, without later changes.
  public func makeIterator() -> CollectionIterator<Element> { CollectionIterator(memory, rows) }
}

extension List: CustomStringConvertible, NestedDescription {
  /// The type, and the first hundred elements, as RealmSwift prints them.
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    describeElements(
      "List<\(elementName(Element.self))> <\(Unmanaged.passUnretained(self).toOpaque())>",
      leading(100).map { $0._dynamicElement }, count: count, depth: depth)
  }
}

extension List: Hashable {
  /// Whether both are the same list of the same object; lists in memory are compared by elements.
  public static func == (first: List, second: List) -> Bool {
    areSame(first, second) { first.memory.isSame(as: second.memory) }
  }
}

/// The element type in descriptions.
func elementName<Element: RealmCollectionValue>(_ type: Element.Type) -> String {
  (type as? ObjectBase.Type)?.shownName ?? withoutBackticks("\(type)")
}

/// Describes the elements of a collection, numbered, one per line.
func describeElements(
  _ title: String, _ elements: @autoclosure () -> [Any?], count: @autoclosure () -> Int, depth: Int
) -> String {
  guard depth > 0 else { return ObjectBase.tooDeep }
  let elements = elements()
  var lines = elements.enumerated().map { index, element in
    "\t[\(index)] " + indented(describeValue(element, depth: depth - 1))
  }
  let rest = count() - elements.count
  if rest > 0 { lines.append("\t... \(rest) more") }
  return "\(title) (\n\(lines.joined(separator: ",\n"))\n)"
}
