import StrataStorage

/// The rows of one collection of one object. Realms and migrations override the methods.
///
/// Keeps collections free of SQL: they call this class to count, find and write their elements.
/// Overrides record or report failures, and reading then finds nothing. Positions count the current
/// elements from 0. This is a class and not a protocol, so that calls need no protocol lookup.
public class _CollectionRows {
  init() {}

  /// Whether the object with the collection was deleted.
  var isInvalidated: Bool { mustOverride(self) }

  /// Whether the collection can be written. Stops the process where writing is a programmer error.
  func canWrite() -> Bool { mustOverride(self) }

  /// Records an error in data for code that can't throw.
  func record(_ error: RealmError) { mustOverride(self) }

  /// Reports an element in the file that is not of the collection's type. Only realms override this
  /// method.
  func reportUnreadable() {}

  /// Whether another instance shows the same collection of the same object.
  func isSame(as other: _CollectionRows) -> Bool { self === other }

  /// Identifies the collection, for its hash.
  var identity: Int64 { mustOverride(self) }

  // MARK: Reading

  /// A value that stays equal as long as the elements stay the same.
  struct Stamp: Equatable, Sendable {
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

  /// The object of an element; nil if the object was deleted.
  func object(_ element: _StoredElement) -> AnyObject? { mustOverride(self) }

  /// Whether the program has the class of an object in an `AnyRealmValue`.
  func hasClass(_ className: String) -> Bool { true }

  /// The row of an object. Adds an unmanaged object.
  func row(of object: AnyObject) throws(RealmError) -> _StoredElement { mustOverride(self) }

  // MARK: Collections in collections

  /// Whether an element may be a list or a dictionary in an `AnyRealmValue`.
  var holdsNested: Bool { false }

  /// The number of nested collections that contain the element.
  var nestingLevel: Int { 0 }

  // MARK: Writing

  // Called only if ``canWrite()`` returned true.

  func insert(_ elements: [_StoredElement], at position: Int) { mustOverride(self) }
  func replace(at position: Int, with element: _StoredElement) { mustOverride(self) }
  func remove(_ positions: Range<Int>) { mustOverride(self) }
  func move(from source: Int, to destination: Int) { mustOverride(self) }
  func removeAll() { mustOverride(self) }

  /// Adds a value to a set; false if the set contains it already.
  func insert(_ element: _StoredElement) -> Bool { mustOverride(self) }
  func remove(_ element: _StoredElement) -> Bool { mustOverride(self) }

  func set(_ element: _StoredElement, forKey key: String) { mustOverride(self) }
  func remove(key: String) -> Bool { mustOverride(self) }
}

/// The rows of a collection that is always empty.
class EmptyRows: _CollectionRows {
  override var isInvalidated: Bool { false }
  override func canWrite() -> Bool { false }
  override func record(_ error: RealmError) {}
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
  /// The live elements of a list or a dictionary in an `AnyRealmValue`; nil for all other elements.
  let nested: _CollectionRows?

  init(_ stored: _StoredElement, nested: _CollectionRows? = nil) {
    self.stored = stored
    self.nested = nested
  }
}

/// A cursor over the elements that a collection had when the cursor was made. This base class has
/// no elements.
class ElementCursor {
  func next() -> (key: String, element: _ReadElement, object: AnyObject?)? { nil }
}

/// A collection as its model object sees it, independent of the element type.
protocol PersistedCollection: AnyObject {
  /// The rows of the elements; nil while the elements are in memory.
  var rows: _CollectionRows? { get set }

  var count: Int { get }

  /// The elements as a file would store them, with their keys for a map.
  func stored(in rows: _CollectionRows) throws(RealmError) -> [(key: String, _StoredElement)]

  /// Converts an assigned value of unknown type to stored elements; nil if an element doesn't fit.
  ///
  /// Doesn't make a set in memory, which would merge texts that look alike and differ in bytes.
  static func stored(
    _ value: Any?, in rows: _CollectionRows
  ) throws(RealmError) -> [(key: String, _StoredElement)]?

  /// Replaces the elements by the elements of a value of unknown type; false if one doesn't fit.
  func assign(_ value: Any?) throws(RealmError) -> Bool

  /// Creates an unmanaged collection with the same elements.
  func copy() -> any PersistedCollection

  /// Discards the elements in memory: they are in the file now.
  func forgetElements()
}
