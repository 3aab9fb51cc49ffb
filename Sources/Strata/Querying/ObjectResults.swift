import Synchronization

/// The objects that a query finds in a realm.
final class ObjectResults {
  let session: Session
  let query: ObjectQuery
  private let generation: UInt32
  // What was read, for access by position. Several threads may read frozen results.
  private let lock = Mutex(())
  private var list = RowList()
  private var window = ObjectWindow()
  /// What is the same for each list of the same query.
  private var knownKey: String?

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
    session.reads?.noteMembers(of: query, key: key)
  }

  private var key: String {
    lock.withLock { _ in
      if let knownKey { return knownKey }
      let key = "\(query.select("")) \(query.parameters)"
      knownKey = key
      return key
    }
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
    let now = session.clock.now
    var object: ObjectBase?
    lock.withLock { _ in object = window.object(at: position, now) }
    if let object { return object }
    do {
      return try readObjects(from: position)
    } catch {
      session.report(error)
      return query.table.info.type.init()
    }
  }

  /// The object at a position, and some behind it.
  private func readObjects(from position: Int) throws(RealmError) -> ObjectBase? {
    let now = session.clock.now
    let positions = lock.withLock { _ in window.positions(from: position, now) }
    let rows = try rows()[positions]
    guard !rows.isEmpty else {
      return session.transaction?.error == nil ? nil : query.table.info.type.init()
    }
    // Not under the lock: the thread that has the connection may wait for it.
    let objects =
      (session.isShared ? nil : window.takeObjects())
      ?? ObjectBatch(of: query.table, in: session)
    let stamp = try session.read(rows, in: query.table, into: objects)
    guard objects.count > 0 else { return nil }
    let object = objects[0]
    lock.withLock { _ in window.keep(objects, from: position, stamp) }
    return object
  }

  /// The identities of the rows.
  private func rows() throws(RealmError) -> RowSequence {
    let moment = RowList.Moment.now(query, session)
    if let rows = lock.withLock({ _ in list.rows(at: moment) }) { return rows }
    let rows = try session.rows(of: query)
    lock.withLock { _ in list.keep(rows, moment) }
    return rows
  }

  func index(of object: ObjectBase) -> Int? {
    guard isReadable, type(of: object) == query.table.info.type,
      object.managedContext?.sharesFile(with: session) == true
    else { return nil }
    do {
      return try rows().firstIndex(of: object._rowID)
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
