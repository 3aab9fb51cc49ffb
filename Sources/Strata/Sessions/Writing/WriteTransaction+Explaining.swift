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
}
