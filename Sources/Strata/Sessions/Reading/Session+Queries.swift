import GRDB
import StrataStorage

/// The queries of results. A failed query is reported and returns no rows.
extension Session {
  /// The first value of a query's first row; nil without rows.
  func value(_ sql: String, _ parameters: [StoredValue] = []) -> StoredValue? {
    value(StatementText(sql, isKept: false), parameters)
  }

  /// The first value of a statement's first row; nil without rows.
  func value(_ text: StatementText, _ parameters: [StoredValue]) -> StoredValue? {
    query(text, or: nil) { statement in
      try measuring(text.sql) {
        try statement.bindRaw(parameters)
        return try statement.firstRow { $0.storedValue(0) }
      }
    }
  }

  /// The integers in the only column of a query.
  func integers(_ sql: String, _ parameters: [StoredValue]) throws(RealmError) -> [Int64] {
    try query { db in
      try measuring(sql, rows: \.count) { try db.integers(sql, parameters) }
    }
  }

  /// Runs a closure with the statement of a query, an `sqlite3_stmt *`, at each of its rows.
  func forEachRow(
    of sql: String, _ parameters: [StoredValue], _ body: (OpaquePointer) -> Void
  ) throws(RealmError) {
    try query { db in
      _ = try measuring(sql, rows: \.self) {
        let statement = try db.freeStatement(sql: sql)
        try statement.bindRaw(parameters)
        var count = 0
        while try statement.stepRaw() {
          body(statement.sqliteStatement)
          count += 1
        }
        return count
      }
    }
  }

  func rows(of objects: ObjectQuery) throws(RealmError) -> RowSequence {
    if objects.isWholeTable, objects.isByIdentity, let range = try rangeOfAllRows(objects) {
      return RowSequence(range)
    }
    let sql = objects.select("t.\(objects.table.identity)")
    return try query { db in
      try measuring(sql, rows: \.count) {
        let statement = try db.cachedStatement(sql: sql)
        try statement.bindRaw(objects.parameters)
        var rows = RowSequence()
        while try statement.stepRaw() { rows.append(statement.int64(0)) }
        return rows
      }
    }
  }

  /// The identities of all rows, if they are consecutive: counting the rows takes a hundredth of
  /// the time of reading them.
  private func rangeOfAllRows(_ objects: ObjectQuery) throws(RealmError) -> ClosedRange<Int64>? {
    try query(objects.extent) { statement in
      guard try statement.stepRaw() else { return nil }
      defer { statement.resetRaw() }
      let (count, first, last) = (statement.int64(0), statement.int64(1), statement.int64(2))
      let (distance, overflow) = last.subtractingReportingOverflow(first)
      return count > 0 && !overflow && distance == count - 1 ? first...last : nil
    }
  }

  func object(of objects: ObjectQuery, last: Bool) -> ObjectBase? {
    let table = objects.table
    guard table.exists else { return nil }
    let text = objects.first(reversed: last)
    return query(text, or: nil) { statement in
      try measuring(text.sql) {
        // Set after pending changes are written and before they are read: see ``ObjectCursor``.
        let stamp = clock.now
        try statement.bindRaw(objects.parameters)
        return try statement.firstRow {
          table.makeObject(RowValues(of: $0.sqliteStatement), in: self, stamp: stamp)
        }
      }
    }
  }

  /// The object of a row; nil if the row doesn't exist or can't be read.
  func objectIfReadable(row: Int64, in table: Table) -> ObjectBase? {
    if let other = otherActing { return other.objectIfReadable(row: row, in: table) }
    do {
      return try object(row: row, in: table)
    } catch {
      report(error)
      return nil
    }
  }
}

extension Session {
  /// The row of an object to link to. Adds the object if it is unmanaged.
  func rowForLink(
    to object: ObjectBase, _ property: Property, of className: String
  ) throws(RealmError) -> Int64 {
    guard let transaction else { throw RealmError(.fail, ErrorText.outsideWrite) }
    // Swift accepts an object of a subclass, but its row is in another table.
    if property.type == .object,
      self.className(of: Swift.type(of: object)) != property.objectClassName
    {
      throw .invalidValue(object, for: property, of: className)
    }
    if object is EmbeddedObject, object.managedContext != nil, isOfFile(object),
      !object.isInvalidated
    {
      throw RealmError(.fail, ErrorText.managedEmbedded)
    }
    return try DraftWriter.add(object, .error, self, transaction)
  }

  /// The stored form of an object in a property of type `AnyRealmValue`. Adds the object if it is
  /// unmanaged.
  func element(
    linkingTo object: ObjectBase, _ property: Property, of className: String
  ) throws(RealmError) -> _StoredElement {
    let row = try rowForLink(to: object, property, of: className)
    return _StoredElement(
      .integer(row),
      type: _StoredElement.typeName(
        ofLinkTo: self.className(of: Swift.type(of: object))))
  }

  func changeLink(_ slot: _PropertySlot, of owner: ObjectBase, to target: ObjectBase?) {
    if let other = otherActing { return other.changeLink(slot, of: owner, to: target) }
    guard let transaction, let table = table(Swift.type(of: owner)) else { return }
    let property = table.info.properties[slot]
    if let target, target.managedContext != nil, isOfFile(target), property.type == .object,
      owner.linkRow(slot)?.row == target._rowID, !target.isInvalidated
    {
      return
    }
    _ = noting { () throws(RealmError) in
      let row = try target.map { target throws(RealmError) in
        try rowForLink(to: target, property, of: table.info.className)
      }
      let className = target.map { self.className(of: Swift.type(of: $0)) }
      let child = owner.linkRow(slot) == nil ? nil : embeddedTable(of: property)
      if child != nil {
        // A trigger deletes the replaced object, which must be in the file and linked for that.
        try transaction.flushAll()
      }
      // Reading the target's row may have flushed pending changes, and this owner without its new
      // link.
      if !owner._dirty.contains(slot) {
        guard willWrite(owner, slot: slot) else { return }
      }
      owner.setLinkRow(slot, className: property.type == .object ? nil : className, row)
      if let child {
        try transaction.flush(table)
        transaction.recordDeletion(in: child)
      }
    }
  }

  func embeddedTable(of property: Property) -> Table? {
    guard let name = property.objectClassName, let table = store.table(className: name) else {
      return nil
    }
    return table.info.isEmbedded ? table : nil
  }
}
