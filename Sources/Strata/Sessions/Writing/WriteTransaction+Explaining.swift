import GRDB
import Logging
import StrataStorage

extension WriteTransaction {
  /// The error to throw when elements of a collection can't be written.
  ///
  /// SQLite reports only that a row is missing. The row may be the collection's owner: another
  /// thread or process has deleted it, or it was created in a rolled back transaction. Checking the
  /// owner before each change would cost a statement.
  func explanation(
    of first: RealmError, writing list: ElementTable, of owner: Table
  ) -> RealmError {
    guard first.sqliteCode == ResultCode.SQLITE_CONSTRAINT_FOREIGNKEY.rawValue else {
      return first
    }
    let sql = "SELECT 1 FROM \(owner.name) WHERE \(owner.identity) = ?"
    do throws(RealmError) {
      let isThere = try store.write { db, _ in
        try Bool.fetchOne(db, sql: sql, arguments: [list.owner]) != nil
      }
      let info = list.info
      return isThere
        ? first
        : RealmError(.fail, "\(ErrorText.deleted) ('\(info.className).\(info.property.name)')")
    } catch {
      // The first error is the cause, so the program gets that one.
      store.logger?.error("\(error.loggedMessage)")
      return first
    }
  }

  /// The error to throw when objects can't be written. In a newer file, a property of the program
  /// that may be nil may be required.
  func explanation(of first: RealmError, writing changes: ChangedTable) -> RealmError {
    guard first.sqliteCode == ResultCode.SQLITE_CONSTRAINT_NOTNULL.rawValue,
      let version = store.expectedSchema.newerVersion
    else { return first }
    let info = changes.table.info
    for object in changes.inserts + changes.updates {
      for slot in info.slots.inColumns where info.properties[slot].isNullable {
        let property = info.properties[slot]
        guard first.message.contains("\(info.className).\(property.columnName)"),
          info.dynamicValue(slot, of: object) == nil
        else { continue }
        return RealmError(
          .newerVersion,
          ErrorText.newerVersionNil(
            "\(info.className).\(property.name)", row: object._rowID, is: version),
          fileURL: store.file.url, underlyingError: first.underlyingError)
      }
    }
    return first
  }
}
