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

extension ObjectQuery {
  /// The same objects in another order; those that are equal in it keep their order.
  ///
  /// - Throws: ``RealmError`` with code `fail` unless it is a property with a single value.
  func sorted(by descriptors: some Sequence<SortDescriptor>) throws(RealmError) -> ObjectQuery {
    var query = self
    var order: [(column: String, ascending: Bool)] = []
    for descriptor in descriptors {
      let type = try table.info.sortType(of: descriptor.keyPath)
      guard let column = table.column(descriptor.keyPath) else { continue }
      // The file keeps decimals as text, which sorts in another way.
      order.append(
        (
          type == .decimal128 ? "\(column) COLLATE \(Connections.decimalOrder)" : column,
          descriptor.ascending
        ))
    }
    query.order = order + self.order
    return query
  }
}

extension ClassInfo {
  /// The type of a property that objects can be sorted by.
  func sortType(of keyPath: String) throws(RealmError) -> PropertyType {
    guard let slot = slot(keyPath) else {
      throw RealmError(.fail, ErrorText.sortProperty(keyPath, className))
    }
    let property = properties[slot]
    guard property.collection == nil, property.type != .object, !property.isComputed else {
      throw RealmError(.fail, ErrorText.sortType(keyPath, className, property.typeName))
    }
    return property.type
  }
}
