import GRDB

/// The objects of a collection.
final class ObjectElementCursor: ElementCursor {
  private let objects: ObjectCursor

  init(_ objects: ObjectCursor) {
    self.objects = objects
  }

  override func next() -> (key: String, element: _StoredElement, object: AnyObject?)? {
    objects.next().map { ("", _StoredElement(.integer($0._rowID)), $0) }
  }
}

/// Elements that were read before: inside of a transaction, which may change them meanwhile.
final class ArrayElementCursor: ElementCursor {
  private var entries: IndexingIterator<[(key: String, element: _StoredElement)]>

  init(_ entries: [(key: String, element: _StoredElement)]) {
    self.entries = entries.makeIterator()
  }

  override func next() -> (key: String, element: _StoredElement, object: AnyObject?)? {
    entries.next().map { ($0.key, $0.element, nil) }
  }
}

/// Elements as they are read, on a connection of their own, which keeps seeing the collection as
/// it was: memory does not grow with their number.
final class StatementElementCursor: ElementCursor {
  private let table: ElementTable
  private let session: Session
  private let connection: ReadConnection
  private var statement: Statement?
  private var entries: ArraySlice<(key: String, element: _StoredElement)> = []

  /// Enough to make the way to a connection cheap.
  private static let chunk = 128

  init(_ table: ElementTable, _ session: Session) throws(RealmError) {
    self.table = table
    self.session = session
    (connection, statement) = try translatingErrors(at: session.store.file.url) {
      let connection = try ReadConnection(session)
      let statement = try connection.use { db in
        let statement = try db.makeStatement(sql: table.selectAll)
        statement.bindRaw(table.owner, at: 1)
        return statement
      }
      return (connection, statement)
    }
  }

  deinit { finish() }

  override func next() -> (key: String, element: _StoredElement, object: AnyObject?)? {
    if entries.isEmpty { fill() }
    return entries.popFirst().map { ($0.key, $0.element, nil) }
  }

  private func fill() {
    guard let statement else { return }
    do throws(RealmError) {
      var read: [(key: String, element: _StoredElement)] = []
      let ended = try translatingErrors(at: session.store.file.url) {
        try connection.use { _ in
          while read.count < Self.chunk {
            guard try statement.stepRaw() else { return true }
            read.append(table.entry(statement))
          }
          return false
        }
      }
      entries = read[...]
      if ended { finish() }
    } catch {
      session.report(error)
      finish()
    }
  }

  private func finish() {
    guard statement != nil else { return }
    connection.use { _ in
      statement?.resetRaw()
      // Ends the statement while the connection is still its own.
      statement = nil
    }
  }
}
