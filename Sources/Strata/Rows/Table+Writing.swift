import GRDB
import GRDBSQLite
import StrataStorage
import Synchronization

extension Table {
  private static let rowsPerInsert = 32

  /// Writes new objects, whose identities are given, as rows.
  ///
  /// One statement for several rows costs a third less than one for each.
  func insert(_ objects: [ObjectBase], _ db: Database) throws {
    let rows = InsertSQL.rowsAtOnce(columns: texts.columnCount + 1, atMost: Self.rowsPerInsert)
    var rest = objects[...]
    while rows > 1, rest.count >= rows {
      do {
        try insertTogether(rest.prefix(rows), db)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        // The statement wrote nothing. One by one tells which object it is.
        for object in rest.prefix(rows) { try insertTogether([object], db) }
        throw error
      }
      rest = rest.dropFirst(rows)
    }
    for object in rest { try insertTogether([object], db) }
  }

  private func insertTogether(_ objects: ArraySlice<ObjectBase>, _ db: Database) throws {
    let sql = objects.count == 1 ? insertOne : insertMany(objects.count)
    let statement = try db.cachedStatement(sql: sql)
    do {
      try statement.runRaw {
        var index: Int32 = 1
        for object in objects {
          statement.bindRaw(object._rowID, at: index)
          try bindAll(object, to: statement.sqliteStatement, from: index + 1)
          index += Int32(texts.columnCount) + 1
        }
      }
    } catch let error as DatabaseError
      where objects.count == 1 && error.resultCode == .SQLITE_CONSTRAINT
    {
      throw refusal(of: objects[objects.startIndex], error)
    }
  }

  private var insertOne: String { insertion(rows: 1) }

  /// Always for the same number of rows.
  private func insertMany(_ rows: Int) -> String {
    insertionOfMany.withLock { known in
      if let known { return known }
      let made = insertion(rows: rows)
      known = made
      return made
    }
  }

  private func insertion(rows: Int) -> String {
    "INSERT INTO \(name) (\(texts.columns)) VALUES "
      + InsertSQL.parameters(columns: texts.columnCount + 1, rows: rows)
  }

  /// What a constraint of the table means.
  private func refusal(of object: ObjectBase, _ error: DatabaseError) -> any Error {
    guard error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE, let slot = primaryKeySlot,
      error.message?.contains(info.properties[slot].columnName) == true
        || error.message?.contains("index") == true
    else { return error }
    return RealmError.existingPrimaryKey(
      describeValue(info.dynamicValue(slot, of: object)), of: info.className, underlyingError: error
    )
  }
}

extension ClassInfo {
  /// The value of a property for people and for dynamic access.
  func dynamicValue(_ slot: _PropertySlot, of object: ObjectBase) -> Any? {
    withExtendedLifetime(object) {
      accessors[slot].dynamic(Unmanaged.passUnretained(object).toOpaque())
    }
  }

  /// The value of a property as SQLite keeps it.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a value that SQLite has no place for.
  func storedValue(_ slot: _PropertySlot, of object: ObjectBase) throws(RealmError) -> StoredValue {
    try storedElement(slot, of: object).value
  }

  /// The value of a property as SQLite keeps it, with the type that an `AnyRealmValue` has.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a value that SQLite has no place for.
  func storedElement(_ slot: _PropertySlot, of object: ObjectBase) throws(RealmError)
    -> _StoredElement
  {
    let stored = withExtendedLifetime(object) {
      accessors[slot].stored(Unmanaged.passUnretained(object).toOpaque())
    }
    guard let stored else {
      throw RealmError(.fail, ErrorText.unstorable(properties[slot], of: className))
    }
    return stored
  }
}
