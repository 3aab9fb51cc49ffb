import Logging
import StrataStorage

extension Session {
  /// Reads the object again if it may be out of date. Returns false if its row was deleted.
  func isCurrent(_ object: ObjectBase, _ table: Table) throws(RealmError) -> Bool {
    if object.isFromBefore { return false }
    if object._state & ObjectState.vanished != 0 || gone.hasRolledBack(object, in: table) {
      return false
    }
    let now = clock.now
    if let transaction {
      if try transaction.isUnchanged(object, table) {
        object._stamp = now
        return true
      }
      guard
        try transaction.write(
          table.texts.selectByID, { try table.reload(object, $0) })
      else { return false }
    } else {
      guard try read(table.texts.selectByID, { try table.reload(object, $0) }) else { return false }
    }
    object._stamp = now
    return true
  }

  func hasDeleted(_ row: Int64, in table: Table) -> Bool {
    guard !isShared else { return false }
    return gone.hasDeleted(row, in: table) || transaction?.hasDeleted(row, in: table) == true
  }

  /// Marks an object as deleted: its use becomes a programmer error.
  func markDeleted(_ object: ObjectBase) {
    object._state = ObjectState.deleted
    object._context = nil
    object._dirty = PropertySet()
    object._links = []
  }

  /// Logs and records an error where nothing can be thrown.
  ///
  /// In a transaction, the error makes the commit fail: the program bases its changes on what it
  /// has read, and incomplete reads would lead to incomplete changes.
  func report(_ error: RealmError) {
    let error = store.explanation(of: error)
    store.logger?.error("\(error.loggedMessage)")
    record(error)
  }
}

extension Table {
  /// Reads an object's row again; false if the row doesn't exist.
  ///
  /// - Parameter statement: The statement of ``TableTexts/selectByID``.
  fileprivate func reload(_ object: ObjectBase, _ statement: RawStatement) throws -> Bool {
    statement.bindRaw(object._rowID, at: 1)
    guard try statement.stepRaw() else { return false }
    read(RowValues(of: statement.sqliteStatement), into: object)
    statement.resetRaw()
    return true
  }
}
