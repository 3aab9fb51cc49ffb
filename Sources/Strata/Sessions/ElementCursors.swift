import StrataStorage

/// The objects of a collection.
final class ObjectElementCursor: ElementCursor {
  private let objects: ObjectCursor

  init(_ objects: ObjectCursor) {
    self.objects = objects
  }

  override func next() -> (key: String, element: _ReadElement, object: AnyObject?)? {
    objects.next().map { ("", _ReadElement(_StoredElement(.integer($0._rowID))), $0) }
  }
}

/// Elements that were read before: inside of a transaction, which may change them meanwhile.
final class ArrayElementCursor: ElementCursor {
  private var entries: IndexingIterator<[(key: String, element: _StoredElement)]>

  init(_ entries: [(key: String, element: _StoredElement)]) {
    self.entries = entries.makeIterator()
  }

  override func next() -> (key: String, element: _ReadElement, object: AnyObject?)? {
    entries.next().map { ($0.key, _ReadElement($0.element), nil) }
  }
}

/// Elements as they are read by a statement that keeps seeing the collection as it was: memory does
/// not grow with their number.
final class StatementElementCursor: ElementCursor {
  private let table: ElementTable
  private let session: Session
  private let statement: ReadStatement
  private var entries: ArraySlice<(key: String, element: _StoredElement)> = []

  /// Enough to make the way to a connection cheap.
  private static let chunk = 128

  init(_ table: ElementTable, _ session: Session) throws(RealmError) {
    self.table = table
    self.session = session
    statement = try translatingErrors(at: session.store.file.url) {
      let statement = try ReadStatement(session)
      let text = StatementText(table.selectAll, isKept: false)
      try statement.begin(text, [.integer(table.owner)])
      return statement
    }
  }

  override func next() -> (key: String, element: _ReadElement, object: AnyObject?)? {
    if entries.isEmpty { fill() }
    return entries.popFirst().map { ($0.key, _ReadElement($0.element), nil) }
  }

  private func fill() {
    do throws(RealmError) {
      var read: [(key: String, element: _StoredElement)] = []
      let goesOn = try translatingErrors(at: session.store.file.url) {
        try statement.use { statement -> Bool in
          while read.count < Self.chunk {
            guard try statement.stepRaw() else { return false }
            read.append(table.entry(statement))
          }
          return true
        }
      }
      entries = read[...]
      if goesOn == false { statement.end() }
    } catch {
      session.report(error)
      statement.end()
    }
  }
}
