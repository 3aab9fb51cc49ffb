import GRDB
import GRDBSQLite

extension Table {
  /// SQLite allows 32,766 parameters, and compiling a statement of very many takes its time.
  private static let parameters = 1_000
  private static let rowsPerInsert = 32

  /// Writes new objects, whose identities are given, as rows.
  ///
  /// One statement for several rows costs a third less than one for each.
  func insert(_ objects: [ObjectBase], _ db: Database) throws {
    let rows = min(Self.rowsPerInsert, Self.parameters / (columnCount + 1))
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
    let statement = try db.cachedStatement(sql: insertSQL(rows: objects.count))
    var index: Int32 = 1
    for object in objects {
      statement.bindRaw(object._rowID, at: index)
      try bindAll(object, to: statement.sqliteStatement, from: index + 1)
      index += Int32(columnCount) + 1
    }
    do {
      _ = try statement.stepRaw()
    } catch let error as DatabaseError
      where objects.count == 1 && error.resultCode == .SQLITE_CONSTRAINT
    {
      throw refusal(of: objects[objects.startIndex], error)
    }
  }

  private func insertSQL(rows: Int) -> String {
    let row = "(" + String(repeating: "?, ", count: columnCount) + "?)"
    return "INSERT INTO \(name) (\(columns)) VALUES "
      + String(repeating: row + ", ", count: rows - 1) + row
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

  /// Writes the changed properties of objects to their rows.
  func update(_ objects: [ObjectBase], _ db: Database) throws {
    var mask: UInt64 = 0
    var slots: [Int] = []
    var columns: [String] = []
    var statement: Statement?
    for object in objects where object._dirty != 0 {
      if statement == nil || object._dirty != mask {
        mask = object._dirty
        slots = info.columnSlots.filter { mask & (1 << UInt64(min($0, 63))) != 0 }
        columns = slots.flatMap { info.properties[$0].columns }.map {
          "\(SQLName.quote($0.name)) = ?"
        }
        statement = try db.cachedStatement(
          sql: "UPDATE \(name) SET \(columns.joined(separator: ", ")) WHERE \(identity) = ?")
      }
      guard let statement, !columns.isEmpty else { continue }
      try bind(object, slots: slots, to: statement.sqliteStatement, from: 1)
      statement.bindRaw(object._rowID, at: Int32(columns.count + 1))
      _ = try statement.stepRaw()
    }
  }
}

extension ClassInfo {
  /// The value of a property for people and for dynamic access.
  func dynamicValue(_ slot: Int, of object: ObjectBase) -> Any? {
    withExtendedLifetime(object) {
      accessors[slot].dynamic(Unmanaged.passUnretained(object).toOpaque())
    }
  }

  /// The value of a property as SQLite keeps it.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a value that SQLite has no place for.
  func storedValue(_ slot: Int, of object: ObjectBase) throws(RealmError) -> StoredValue {
    try storedElement(slot, of: object).value
  }

  /// The value of a property as SQLite keeps it, with the type that an `AnyRealmValue` has.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a value that SQLite has no place for.
  func storedElement(_ slot: Int, of object: ObjectBase) throws(RealmError) -> _StoredElement {
    let stored = withExtendedLifetime(object) {
      accessors[slot].stored(Unmanaged.passUnretained(object).toOpaque())
    }
    guard let stored else {
      throw RealmError(.fail, ErrorText.unstorable(properties[slot], of: className))
    }
    return stored
  }
}
