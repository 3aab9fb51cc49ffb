import StrataStorage

/// The rows of one collection of one object, as a realm or a migration overrides it.
///
/// Keeps collections free of SQL: they call it to count, find and write their elements. Overrides
/// note or report failures; reading then finds nothing. Positions are those of the elements now,
/// from 0.
public class _CollectionRows {
  init() {}

  /// Whether the object with the collection was deleted.
  var isInvalidated: Bool { false }

  /// Stops the process where nothing may be written; false when writing would have no effect.
  func canWrite() -> Bool { false }

  /// Notes a mistake in data that was found where nothing can be thrown.
  func note(_ error: RealmError) {}

  /// Reports an element in the file that is not of the collection's type.
  func reportUnreadable() {}

  /// Whether another one shows the same collection of the same object.
  func isSame(as other: _CollectionRows) -> Bool { self === other }

  /// Identifies the collection, for a hash.
  var identity: Int64 { 0 }

  // MARK: Reading

  /// Equal as long as the elements are the same.
  struct Version: Equatable {
    var time: UInt64
    var changes: UInt64
  }

  var version: Version { Version(time: 0, changes: 0) }

  var count: Int { 0 }
  var first: _StoredElement? { nil }
  var last: _StoredElement? { nil }
  func element(at position: Int) -> _StoredElement? { nil }
  func position(of element: _StoredElement) -> Int? { nil }
  func element(forKey key: String) -> _StoredElement? { nil }
  func cursor() -> ElementCursor { ElementCursor() }

  // MARK: Objects

  /// The object of an element; nil when it was deleted.
  func object(_ element: _StoredElement) -> AnyObject? { nil }

  /// Whether the program has the class of an object that an `AnyRealmValue` leads to.
  func hasClass(_ className: String) -> Bool { true }

  /// The row of an object, which is added if it is unmanaged.
  func row(of object: AnyObject) throws(RealmError) -> _StoredElement { .null }

  // MARK: Collections in collections

  /// Whether an element may be a list or a dictionary in an `AnyRealmValue`.
  var holdsNested: Bool { false }

  /// How many such collections lead to an element.
  var nestingLevel: Int { 0 }

  // MARK: Writing

  func insert(_ elements: [_StoredElement], at position: Int) {}
  func replace(at position: Int, with element: _StoredElement) {}
  func remove(_ positions: Range<Int>) {}
  func move(from source: Int, to destination: Int) {}
  func removeAll() {}

  /// Adds a value to a set; false when it is there.
  func insert(_ element: _StoredElement) -> Bool { false }
  func remove(_ element: _StoredElement) -> Bool { false }

  func set(_ element: _StoredElement, forKey key: String) {}
  func remove(key: String) -> Bool { false }
}

/// Iterates over the elements of a collection as they were at its beginning.
class ElementCursor {
  func next() -> (key: String, element: _StoredElement, object: AnyObject?)? { nil }
}

/// What a model object needs from its collections, independent of the type of elements.
protocol PersistedCollection: AnyObject {
  /// Where the elements are; nil while they are in memory.
  var rows: _CollectionRows? { get set }

  var count: Int { get }

  /// The elements as a file would keep them, with their keys in a map.
  func stored(in rows: _CollectionRows) throws(RealmError) -> [(key: String, _StoredElement)]

  /// Replaces the elements by those of a value of unknown type; false when one doesn't fit.
  func assign(_ value: Any?) throws(RealmError) -> Bool

  /// Makes a collection with the elements of this one that is in memory.
  func copy() -> any PersistedCollection

  /// Forgets the elements in memory: they are in the file now.
  func forgetElements()
}
