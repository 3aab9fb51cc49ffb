/// Iterates over the elements of a list or a set as they were at its beginning.
public struct CollectionIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private var memory: IndexingIterator<[Element]>
  private let cursor: ElementCursor?
  private let rows: _CollectionRows?

  init(_ memory: [Element], _ rows: _CollectionRows?) {
    self.memory = memory.makeIterator()
    self.rows = rows
    cursor = rows?.cursor()
  }

  public mutating func next() -> Element? {
    guard let cursor, let rows else { return memory.next() }
    guard let (_, stored, object) = cursor.next() else { return nil }
    // The type of the elements is that of the objects: an optional would take nil for one.
    if let object, let element = object as? Element { return element }
    if let object = object as? ObjectBase, let element = Element._showing(object) {
      return element
    }
    return Element.readable(stored, in: rows)
  }
}

extension RealmCollectionValue {
  /// The value of a stored element. For a value of another type it is the zero, or an object that
  /// is invalidated, and that is reported.
  static func readable(_ stored: _StoredElement, in rows: _CollectionRows) -> Self {
    if let element = _element(stored, in: rows) { return element }
    rows.reportUnreadable()
    return _zeroElement()
  }
}
