import Logging
import StrataStorage

extension Session {
  /// Reads the object again if it may be out of date; false when its row was deleted.
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

  /// Makes an object one whose use is a mistake.
  func markDeleted(_ object: ObjectBase) {
    object._state = ObjectState.deleted
    object._context = nil
    object._dirty = PropertySet()
    object._links = []
  }

  /// Reads that can't throw show what they find, and report failures.
  ///
  /// In a transaction the failure ends it: the program bases its changes on what it has
  /// read, and half of that would make half of the changes.
  func report(_ error: RealmError) {
    let error = store.explanation(of: error)
    store.logger?.error("\(error.loggedMessage)")
    note(error)
  }
}

extension Table {
  /// Reads an object's row again; false when there is none.
  ///
  /// - Parameter statement: That of ``TableTexts/selectByID``.
  fileprivate func reload(_ object: ObjectBase, _ statement: RawStatement) throws -> Bool {
    statement.bindRaw(object._rowID, at: 1)
    guard try statement.stepRaw() else { return false }
    read(RowValues(of: statement.sqliteStatement), into: object)
    statement.resetRaw()
    return true
  }
}
