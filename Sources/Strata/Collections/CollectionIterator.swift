/// An iterator over the elements that a list or a set had when the iterator was made.
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
    guard let (_, element, object) = cursor.next() else { return nil }
    // Comparing types takes a part of the time of a cast.
    if let object, type(of: object) == Element.self {
      return unsafeBitCast(object, to: Element.self)
    }
    return Self.cast(element, object, rows)
  }

  /// Not inlined into the loop, which would look up the optional type for each element.
  @inline(never)
  private static func cast(
    _ element: _ReadElement, _ object: AnyObject?, _ rows: _CollectionRows
  ) -> Element {
    // Casts to the element type, which is the objects' class: a cast to an optional would accept
    // nil.
    if let object, let shown = object as? Element { return shown }
    if let object = object as? ObjectBase, let shown = Element._showing(object) { return shown }
    return Element.readable(element, in: rows)
  }
}

extension RealmCollectionValue {
  /// The value of an element that was read. For a value of another type, the result is the zero or
  /// an invalidated object, and the mismatch is reported.
  static func readable(_ element: _ReadElement, in rows: _CollectionRows) -> Self {
    if let value = _element(element, in: rows) { return value }
    rows.reportUnreadable()
    return _zeroElement()
  }
}
