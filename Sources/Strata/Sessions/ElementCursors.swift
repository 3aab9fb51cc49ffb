import StrataStorage

/// A cursor over the objects of a collection.
final class ObjectElementCursor: ElementCursor {
  private let objects: ObjectCursor

  init(_ objects: ObjectCursor) {
    self.objects = objects
  }

  override func next() -> (key: String, element: _ReadElement, object: AnyObject?)? {
    objects.next().map { ("", _ReadElement(_StoredElement(.integer($0._rowID))), $0) }
  }
}

/// A cursor over the elements that a collection had when the cursor was made.
final class ArrayElementCursor: ElementCursor {
  private var entries: IndexingIterator<[(key: String, element: _StoredElement)]>

  init(_ entries: [(key: String, element: _StoredElement)]) {
    self.entries = entries.makeIterator()
  }

  override func next() -> (key: String, element: _ReadElement, object: AnyObject?)? {
    entries.next().map { ($0.key, _ReadElement($0.element), nil) }
  }
}
