import StrataStorage

/// A cursor over the objects that a query finds when the cursor is made, in that order.
///
/// The cursor reads batches of objects by their identities, each object as it is at that moment,
/// with all changes made since. Memory does not grow with the number of objects. Deleted rows are
/// skipped. This holds inside and outside of transactions, and for collections.
@usableFromInline
final class ObjectCursor {
  /// The rows that are still to be read.
  private enum Rest {
    /// The rows of a whole class: later ones have greater identities.
    case identities(ClosedRange<Int64>)
    case list(RowSequence, next: Int)
    case ended
  }

  private let session: Session
  private let table: Table
  @exclusivity(unchecked) private var rest = Rest.ended
  @exclusivity(unchecked) private var objects: ContiguousArray<ObjectBase> = []
  @exclusivity(unchecked) private var position = 0

  /// Large enough that borrowing a connection costs little, small enough to be released early.
  static let batch = 128

  init(_ query: ObjectQuery, _ session: Session) {
    self.session = session
    table = query.table
    guard table.exists else { return }
    do {
      if query.isWholeTable, query.isByIdentity {
        let greatest = try session.query(table.texts.greatest) { statement in
          try statement.firstRow { $0.int64(0) }
        }
        if let greatest { rest = .identities(.min...greatest) }
      } else {
        rest = .list(try session.rows(of: query), next: 0)
      }
    } catch {
      session.report(error)
    }
  }

  @usableFromInline
  func next() -> ObjectBase? {
    do throws(RealmError) {
      while true {
        while position < objects.count {
          let object = objects[position]
          position += 1
          if session.clock.now == object._stamp { return object }
          if try isThere(object) { return object }
        }
        guard try fill() else { return nil }
      }
    } catch {
      if session.transaction?.error == nil { session.report(error) }
      objects = []
      rest = .ended
      return nil
    }
  }

  /// Whether the object still exists; brings it up to date.
  private func isThere(_ object: ObjectBase) throws(RealmError) -> Bool {
    // A loop that changes each object asks for the next one after each change.
    if let transaction = session.transaction, transaction.keepsCurrent(object, table) {
      object._stamp = session.clock.now
      return true
    }
    // `reader` would count references of the session, which is slow.
    return try session.looksOld ? isThere(object, in: session.acting) : isThere(object, in: session)
  }

  @inline(never)
  private func isThere(
    _ object: ObjectBase, in session: Session
  ) throws(RealmError) -> Bool {
    if session.hasDeleted(object._rowID, in: table) { return false }
    return try session.isCurrent(object, table)
  }

  /// Reads the next objects; false at the end.
  private func fill() throws(RealmError) -> Bool {
    // The previous objects are released here: their deinitializers run code of the program.
    objects = []
    position = 0
    let session = session.reader
    switch rest {
    case .ended: break
    case .identities(let range):
      objects = try session.objects(in: table, range, limit: Self.batch)
      if let last = objects.last?._rowID, last < range.upperBound {
        rest = .identities(last + 1...range.upperBound)
      } else {
        rest = .ended
      }
    case .list(let rows, var next):
      while objects.isEmpty, next < rows.count {
        objects = try session.objects(rows[next..<next + Self.batch], in: table)
        next += Self.batch
      }
      rest = .list(rows, next: next)
    }
    return !objects.isEmpty
  }
}

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
