import Synchronization

/// The objects that a query finds in a realm.
final class ObjectResults {
  let session: Session
  private var reader: Session { session.reader }
  let query: ObjectQuery
  /// That of the session when it was asked, which results that are made of these have as well.
  let generation: UInt32
  // Several threads may read frozen results.
  private let lock = Mutex(())
  /// What was read for access by position: most results are asked for one object, or a number.
  // guarded by: the lock.
  private var known: Known?

  private final class Known {
    var list = RowList()
    var window = ObjectWindow()
    /// What is the same for each list of the same query.
    var key: String?
  }

  /// Runs a closure with what is known, under the lock.
  private func withKnown(_ body: (Known) -> Void) {
    lock.withLock { _ in
      let known = known ?? Known()
      self.known = known
      body(known)
    }
  }

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
    var key = ""
    withKnown { known in
      key = known.key ?? "\(query.select("")) \(query.parameters)"
      known.key = key
    }
    return key
  }

  var count: Int {
    guard isReadable else { return 0 }
    let session = reader
    let query = query.fastest(for: .values([]), in: session)
    return session.value(query.count, query.parameters)?.integer.flatMap { Int(exactly: $0) } ?? 0
  }

  var isEmpty: Bool {
    guard isReadable else { return true }
    let session = reader
    let query = query.fastest(for: .values([]), in: session)
    return session.value(query.exists, query.parameters)?.integer != 1
  }

  func one(last: Bool) -> ObjectBase? {
    noteRead()
    if isInvalidated || !query.table.exists { return nil }
    let session = reader
    return session.object(of: query.fastest(for: .first, in: session), last: last)
  }

  /// Goes through the objects; nil when there are none any more.
  func cursor() -> ObjectCursor? {
    noteRead()
    if isInvalidated { return nil }
    let isThere = query.table.exists
    let session = reader
    return ObjectCursor(isThere ? query.fastest(for: .objects, in: session) : query, session)
  }

  /// The object at a position; nil when there is none.
  ///
  /// An unreadable object is reported, and unmanaged: a failing disk is not a mistake of
  /// the program. Nor is a position that is wrong after it, in a transaction that will throw.
  func object(at position: Int) -> ObjectBase? {
    // Not with `reader`, which would be held in each step of a loop: to count the references of a
    // session is slow.
    session.looksOld
      ? object(at: position, in: session.acting) : object(at: position, in: session)
  }

  private func object(at position: Int, in session: Session) -> ObjectBase? {
    guard position >= 0, isReadable else { return nil }
    let now = Self.now(session)
    var object: ObjectBase?
    lock.withLock { _ in object = known?.window.object(at: position, now) }
    if let object { return object }
    do {
      return try readObjects(from: position, in: session)
    } catch {
      session.report(error)
      return query.table.info.type.init()
    }
  }

  /// The time of what is read by position. Changes of collections, on which the rows may depend,
  /// leave all objects as they are, and the clock.
  private static func now(_ session: Session) -> RowList.Moment {
    RowList.Moment(
      time: session.clock.now, changes: session.transaction?.changesOfCollections ?? 0)
  }

  /// The object at a position, and some behind it.
  private func readObjects(
    from position: Int, in session: Session
  ) throws(RealmError) -> ObjectBase? {
    var now = Self.now(session)
    let all = try rows(in: session)
    var rows: [Int64] = []
    var objects: ObjectBatch?
    withKnown { known in
      rows = all[known.window.positions(from: position, now)]
      // Other threads may have objects of frozen results.
      if !session.isShared { objects = known.window.takeObjects() }
    }
    if objects?.session !== session { objects = nil }
    guard !rows.isEmpty else {
      return session.transaction?.error == nil ? nil : query.table.info.type.init()
    }
    // Not under the lock: the thread that has the connection may wait for it.
    let batch = objects ?? ObjectBatch(of: query.table, in: session)
    now.time = try session.read(rows, in: query.table, into: batch)
    batch.endBeforeGap(in: rows)
    guard batch.count > 0 else { return nil }
    let object = batch[0]
    // The objects before are released by the end of this function: their ends run code of the
    // program, which may read these results.
    objects = batch
    withKnown { $0.window.exchange(&objects, from: position, now) }
    return object
  }

  /// The identities of the rows.
  private func rows(in session: Session) throws(RealmError) -> RowSequence {
    let moment = RowList.Moment.now(query, session)
    var known: RowSequence?
    withKnown { known = $0.list.rows(at: moment) }
    if let known { return known }
    let rows = try session.rows(of: query.fastest(for: .objects, in: session))
    withKnown { $0.list.keep(rows, moment) }
    return rows
  }

  func index(of object: ObjectBase) -> Int? {
    guard isReadable, type(of: object) == query.table.info.type,
      object.managedContext?.sharesFile(with: session) == true
    else { return nil }
    let session = reader
    do {
      return try rows(in: session).firstIndex(of: object._rowID)
    } catch {
      session.report(error)
      return nil
    }
  }

  /// One value that SQLite computes of a column; nil when the file has no table for the class.
  func value(_ expression: String, of column: String) -> StoredValue? {
    guard isReadable else { return nil }
    let session = reader
    let query = query.fastest(for: .values([column]), in: session)
    return session.value(query.aggregate(expression), query.parameters)
  }
}
