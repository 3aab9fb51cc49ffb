import GRDB

extension Session {
  /// Runs a query on what the session sees: the state of its transaction, or of its view.
  func query<Result>(_ body: (Database) throws -> Result) throws(RealmError) -> Result {
    reportPlace()
    guard let transaction, transaction.hasBegun else { return try read(body) }
    try transaction.flushAll()
    return try transaction.write(body)
  }

  /// Runs a query where nothing can be thrown; a failure is reported.
  func query<Result>(
    or fallback: @autoclosure () -> Result, _ body: (Database) throws -> Result
  ) -> Result {
    do {
      return try query(body)
    } catch {
      // The transaction throws its own mistakes when it ends.
      if transaction?.error == nil { report(error) }
      return fallback()
    }
  }

  /// The row with a primary key, selected with the table's columns; nil when there is none.
  func find<Result>(
    _ key: StoredValue, in table: Table, _ body: (Statement) -> Result
  ) throws(RealmError) -> Result? {
    guard let selectByKey = table.selectByKey else { return nil }
    return try query { db in
      let statement = try db.cachedStatement(sql: selectByKey)
      try statement.bindRaw(key, at: 1)
      guard try statement.stepRaw() else { return nil }
      defer { statement.resetRaw() }
      return body(statement)
    }
  }

  /// The object with a primary key.
  ///
  /// - Throws: ``RealmError`` with code `fail` when the class has no primary key, or one of another
  ///   type.
  func object(
    _ type: ObjectBase.Type, forPrimaryKey key: Any
  ) throws(RealmError) -> ObjectBase? {
    guard let table = store.table(type) else {
      throw .notManaged(type)
    }
    guard let slot = table.primaryKeySlot else {
      throw RealmError(
        .fail, "Object type '\(type.className())' does not have a primary key defined.")
    }
    let property = table.info.properties[slot]
    guard let stored = property.storedValue(unwrapped(key)) else {
      throw .invalidValue(unwrapped(key), for: property, of: table.info.className)
    }
    guard table.exists else { return nil }
    // Whether there is one is a matter of which objects the class has.
    reads?.noteMembers(of: ObjectQuery(table), key: table.name)
    let stamp = clock.now
    return try find(stored, in: table) {
      table.makeObject($0.sqliteStatement, in: self, stamp: stamp)
    }
  }

  func object(row: Int64, in table: Table) throws(RealmError) -> ObjectBase? {
    let stamp = clock.now
    return try query { db in
      let statement = try db.cachedStatement(sql: table.selectByID)
      statement.bindRaw(row, at: 1)
      guard try statement.stepRaw() else { return nil }
      defer { statement.resetRaw() }
      return table.makeObject(statement.sqliteStatement, in: self, stamp: stamp)
    }
  }
}
