import Synchronization

/// The objects that a query finds in a realm.
final class ObjectResults {
  let session: Session
  let query: ObjectQuery
  // Most results are asked for one object or a number, and several threads may read frozen ones.
  private let lazyRows = AtomicLazyReference<RowList>()
  private let lazyWindow = AtomicLazyReference<ObjectWindow>()
  private let generation: UInt32

  private var rows: RowList { lazyRows.load() ?? lazyRows.storeIfNil(RowList()) }

  private var window: ObjectWindow { lazyWindow.load() ?? lazyWindow.storeIfNil(ObjectWindow()) }

  /// - Parameter generation: That of the object which the query is of, where it isn't one of now.
  init(_ query: ObjectQuery, _ session: Session, generation: UInt32? = nil) {
    self.query = query
    self.session = session
    self.generation = generation ?? session.generation
  }

  /// Whether the session was invalidated since.
  var isInvalidated: Bool { session.generation != generation }

  /// Whether there can be objects.
  private var isReadable: Bool {
    noteRead()
    return query.table.exists && !isInvalidated
  }

  /// Notes for trackers of reads that the objects and their order are read.
  private func noteRead() {
    guard query.table.exists else { return }
    session.reads?.noteMembers(of: query, key: rows.key(of: query))
  }

  var count: Int {
    let count = isReadable ? session.value(query.count, query.parameters) : nil
    return count?.integer.flatMap { Int(exactly: $0) } ?? 0
  }

  var isEmpty: Bool {
    guard isReadable else { return true }
    return session.value(query.exists, query.parameters)?.integer != 1
  }

  func one(last: Bool) -> ObjectBase? {
    noteRead()
    return isInvalidated ? nil : session.object(of: query, last: last)
  }

  /// Goes through the objects; nil when there are none any more.
  func cursor() -> ObjectCursor? {
    noteRead()
    return isInvalidated ? nil : ObjectCursor(query, session)
  }

  /// The object at a position; nil when there is none.
  ///
  /// An unreadable object is reported, and unmanaged: a failing disk is not a mistake of
  /// the program. Nor is a position that is wrong after it, in a transaction that will throw.
  func object(at position: Int) -> ObjectBase? {
    guard position >= 0, isReadable else { return nil }
    if let object = window.object(at: position, session.clock.now) { return object }
    do {
      let positions = window.positions(from: position, session.clock.now)
      let rows = try rows.rows(at: positions, query, session)
      guard !rows.isEmpty else {
        return session.transaction?.error == nil ? nil : query.table.info.type.init()
      }
      let (objects, stamp) = try session.objects(rows: rows, in: query.table)
      window.keep(objects, from: position, stamp)
      return objects[0]
    } catch {
      session.report(error)
      return query.table.info.type.init()
    }
  }

  func index(of object: ObjectBase) -> Int? {
    guard isReadable, type(of: object) == query.table.info.type,
      object.managedContext?.sharesFile(with: session) == true
    else { return nil }
    do {
      return try rows.position(of: object._rowID, query, session)
    } catch {
      session.report(error)
      return nil
    }
  }

  /// One value that SQLite computes; nil when the file has no table for the class.
  func value(_ expression: String) -> StoredValue? {
    isReadable ? session.value(query.aggregate(expression), query.parameters) : nil
  }
}
