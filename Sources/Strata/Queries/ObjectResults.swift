/// The objects that a query finds in a realm.
struct ObjectResults {
  let session: Session
  let query: ObjectQuery
  private let rows = RowList()

  init(_ query: ObjectQuery, _ session: Session) {
    self.query = query
    self.session = session
  }

  var count: Int { value("count(*)")?.integer.flatMap { Int(exactly: $0) } ?? 0 }

  var isEmpty: Bool {
    guard query.table.exists else { return true }
    let sql = "SELECT EXISTS (\(query.aggregate("1")))"
    return session.value(sql, query.parameters)?.integer != 1
  }

  func one(last: Bool) -> ObjectBase? { session.object(of: query, last: last) }

  /// The object at a position; nil when there is none.
  ///
  /// An unreadable object is reported, and unmanaged: a failing disk is not a mistake of
  /// the program. Nor is a position that is wrong after it, in a transaction that will throw.
  func object(at position: Int) -> ObjectBase? {
    guard position >= 0, query.table.exists else { return nil }
    do {
      guard let row = try rows.row(at: position, query, session) else {
        return session.transaction?.error == nil ? nil : query.table.info.type.init()
      }
      return try session.object(row: row, in: query.table)
    } catch {
      session.report(error)
      return query.table.info.type.init()
    }
  }

  func index(of object: ObjectBase) -> Int? {
    guard query.table.exists, type(of: object) == query.table.info.type,
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
    query.table.exists ? session.value(query.aggregate(expression), query.parameters) : nil
  }
}
