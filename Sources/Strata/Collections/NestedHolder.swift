import StrataSchema
import StrataStorage

/// The holder of the outermost nested collection: a property of an object, or an element of a list
/// or a map.
///
/// A holder contains one value. Reading any collection in the value brings the whole value up to
/// date, and each change writes the whole value.
class NestedHolder {
  /// The collection in memory; nil if the holder was deleted, or contains something else.
  private(set) var top: NestedNode?
  /// The stored form from which ``top`` was made.
  private(set) var known: _StoredElement
  /// A counter of changes, for caches of the collections' elements.
  private(set) var changes: UInt64 = 0
  /// Whether the value never changes, and several threads may read it.
  let isShared: Bool

  /// - Parameter element: The content of the holder. If it isn't a collection, the holder has
  ///   ended.
  init(_ element: _StoredElement, isShared: Bool = false) {
    known = element
    self.isShared = isShared
    top = NestedValue(element).flatMap { NestedNode($0) }
  }

  // MARK: To be overridden

  /// The current content of the holder; nil if the holder was deleted.
  func current() -> _StoredElement? { mustOverride(self) }

  /// Whether the holder can be written. Stops the process where writing is a programmer error.
  func canWrite() -> Bool { mustOverride(self) }

  /// Puts another value into the holder.
  func write(_ element: _StoredElement) { mustOverride(self) }

  /// Records an error in data for code that can't throw.
  func record(_ error: RealmError) { mustOverride(self) }

  func object(_ element: _StoredElement) -> AnyObject? { mustOverride(self) }

  /// The row of an object. Adds an unmanaged object.
  func row(of object: AnyObject) throws(RealmError) -> _StoredElement { mustOverride(self) }

  /// Whether another instance is the same holder of the same file.
  func isSame(as other: NestedHolder) -> Bool { mustOverride(self) }

  /// A number that is equal for equal holders.
  var identity: Int64 { mustOverride(self) }

  /// The name of the property in messages.
  var name: String { mustOverride(self) }

  // MARK: Changes

  /// Brings the collections up to date.
  func refresh() {
    guard !isShared, top != nil else { return }
    guard let element = current() else { return end() }
    guard element != known else { return }
    guard let value = NestedValue(element), value.kind == top?.kind else { return end() }
    known = element
    top?.reconcile(with: value)
    changes += 1
  }

  /// Writes the whole value after a change of one of its collections.
  func save() {
    guard let top else { return }
    changes += 1
    known = _StoredElement(top.value)
    write(known)
  }

  /// Ends the collections, because the holder gets another value.
  func end() {
    top = nil
    changes += 1
  }
}
