import StrataStorage

/// The rows of one collection of one object, as a realm or a migration overrides it.
///
/// Keeps collections free of SQL: they call it to count, find and write their elements. Overrides
/// note or report failures; reading then finds nothing. Positions are those of the elements now,
/// from 0. A class, whose methods are called without looking up a protocol.
public class _CollectionRows {
  init() {}

  /// Whether the object with the collection was deleted.
  var isInvalidated: Bool { mustOverride(self) }

  /// Stops the process where nothing may be written; false when writing would have no effect.
  func canWrite() -> Bool { mustOverride(self) }

  /// Notes a mistake in data that was found where nothing can be thrown.
  func note(_ error: RealmError) { mustOverride(self) }

  /// Reports an element in the file that is not of the collection's type; only a realm does.
  func reportUnreadable() {}

  /// Whether another one shows the same collection of the same object.
  func isSame(as other: _CollectionRows) -> Bool { self === other }

  /// Identifies the collection, for a hash.
  var identity: Int64 { mustOverride(self) }

  // MARK: Reading

  /// A value that is equal as long as the elements are the same.
  struct Stamp: Equatable {
    var time: UInt64
    var changes: UInt64
  }

  var stamp: Stamp { mustOverride(self) }

  var count: Int { mustOverride(self) }
  var first: _ReadElement? { mustOverride(self) }
  var last: _ReadElement? { mustOverride(self) }
  func element(at position: Int) -> _ReadElement? { mustOverride(self) }
  func position(of element: _StoredElement) -> Int? { mustOverride(self) }
  func element(forKey key: String) -> _ReadElement? { mustOverride(self) }
  func cursor() -> ElementCursor { mustOverride(self) }

  // MARK: Objects

  /// The object of an element; nil when it was deleted.
  func object(_ element: _StoredElement) -> AnyObject? { mustOverride(self) }

  /// Whether the program has the class of an object that an `AnyRealmValue` leads to.
  func hasClass(_ className: String) -> Bool { true }

  /// The row of an object, which is added if it is unmanaged.
  func row(of object: AnyObject) throws(RealmError) -> _StoredElement { mustOverride(self) }

  // MARK: Collections in collections

  /// Whether an element may be a list or a dictionary in an `AnyRealmValue`.
  var holdsNested: Bool { false }

  /// How many such collections lead to an element.
  var nestingLevel: Int { 0 }

  // MARK: Writing

  // Only called where ``canWrite()`` is true.

  func insert(_ elements: [_StoredElement], at position: Int) { mustOverride(self) }
  func replace(at position: Int, with element: _StoredElement) { mustOverride(self) }
  func remove(_ positions: Range<Int>) { mustOverride(self) }
  func move(from source: Int, to destination: Int) { mustOverride(self) }
  func removeAll() { mustOverride(self) }

  /// Adds a value to a set; false when it is there.
  func insert(_ element: _StoredElement) -> Bool { mustOverride(self) }
  func remove(_ element: _StoredElement) -> Bool { mustOverride(self) }

  func set(_ element: _StoredElement, forKey key: String) { mustOverride(self) }
  func remove(key: String) -> Bool { mustOverride(self) }
}

/// The rows of a collection that has no elements, and takes none.
class EmptyRows: _CollectionRows {
  override var isInvalidated: Bool { false }
  override func canWrite() -> Bool { false }
  override func note(_ error: RealmError) {}
  override var identity: Int64 { 0 }

  override var stamp: Stamp { Stamp(time: 0, changes: 0) }
  override var count: Int { 0 }
  override var first: _ReadElement? { nil }
  override var last: _ReadElement? { nil }
  override func element(at position: Int) -> _ReadElement? { nil }
  override func position(of element: _StoredElement) -> Int? { nil }
  override func element(forKey key: String) -> _ReadElement? { nil }
  override func cursor() -> ElementCursor { ElementCursor() }

  override func object(_ element: _StoredElement) -> AnyObject? { nil }
  override func row(of object: AnyObject) throws(RealmError) -> _StoredElement { .null }
}

/// An element of a collection, as it is read for the program.
public struct _ReadElement {
  let stored: _StoredElement
  /// The elements of a list or a dictionary in an `AnyRealmValue`, which are live; nil for all
  /// others.
  let nested: _CollectionRows?

  init(_ stored: _StoredElement, nested: _CollectionRows? = nil) {
    self.stored = stored
    self.nested = nested
  }
}

/// Iterates over the elements of a collection as they were at its beginning; over none, unless it
/// is overridden.
class ElementCursor {
  func next() -> (key: String, element: _ReadElement, object: AnyObject?)? { nil }
}

/// A collection as its model object sees it, independent of the type of elements.
protocol PersistedCollection: AnyObject {
  /// Where the elements are; nil while they are in memory.
  var rows: _CollectionRows? { get set }

  var count: Int { get }

  /// The elements as a file would keep them, with their keys in a map.
  func stored(in rows: _CollectionRows) throws(RealmError) -> [(key: String, _StoredElement)]

  /// The same of a value of unknown type that could be assigned; nil when an element doesn't fit.
  ///
  /// A set in memory would take texts for one that look alike and differ in bytes.
  static func stored(
    _ value: Any?, in rows: _CollectionRows
  ) throws(RealmError) -> [(key: String, _StoredElement)]?

  /// Replaces the elements by those of a value of unknown type; false when one doesn't fit.
  func assign(_ value: Any?) throws(RealmError) -> Bool

  /// Makes a collection with the elements of this one that is in memory.
  func copy() -> any PersistedCollection

  /// Forgets the elements in memory: they are in the file now.
  func forgetElements()
}
