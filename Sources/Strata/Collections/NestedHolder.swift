import StrataSchema
import StrataStorage

/// The holder of the outermost of some nested collections: a property of an object, or an element
/// of a list or a map.
///
/// What is there is one value. Reading a collection in it brings the value up to date, and each
/// change writes all of it.
class NestedHolder {
  /// The collection in memory; nil once its holder is gone, or holds something else.
  private(set) var top: NestedNode?
  /// What ``top`` was made of.
  private(set) var known: _StoredElement
  /// Grows with each change, for what is remembered about the collections.
  private(set) var changes: UInt64 = 0
  /// Whether the value never changes, and several threads may read it.
  let isShared: Bool

  /// - Parameter element: What is in the holder; one that is no collection makes a holder that is
  ///   gone.
  init(_ element: _StoredElement, isShared: Bool = false) {
    known = element
    self.isShared = isShared
    top = NestedValue(element).flatMap { NestedNode($0) }
  }

  // MARK: To be overridden

  /// What is in the holder now; nil when it is gone.
  func current() -> _StoredElement? { mustOverride(self) }

  /// Stops the process where nothing may be written; false when writing would have no effect.
  func canWrite() -> Bool { mustOverride(self) }

  /// Puts another value into the holder.
  func write(_ element: _StoredElement) { mustOverride(self) }

  /// Notes a mistake in data that was found where nothing can be thrown.
  func note(_ error: RealmError) { mustOverride(self) }

  func object(_ element: _StoredElement) -> AnyObject? { mustOverride(self) }

  /// The row of an object, which is added if it is unmanaged.
  func row(of object: AnyObject) throws(RealmError) -> _StoredElement { mustOverride(self) }

  /// Whether another one is the same holder of the same file.
  func isSame(as other: NestedHolder) -> Bool { mustOverride(self) }

  /// A number that two holders have that are the same.
  var identity: Int64 { mustOverride(self) }

  /// The property, as messages name it.
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

  /// Writes the collections after a change of one of them.
  func save() {
    guard let top else { return }
    changes += 1
    known = _StoredElement(top.value)
    write(known)
  }

  /// Something else is put into the holder: the collections are gone.
  func end() {
    top = nil
    changes += 1
  }
}
