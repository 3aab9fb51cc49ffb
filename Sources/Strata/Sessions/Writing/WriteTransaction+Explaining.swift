import GRDB
import Logging
import StrataStorage

extension WriteTransaction {
  /// What a failure to write elements of a collection means.
  ///
  /// SQLite only says that some row is missing. It is that of the object with the collection where
  /// another thread or process has deleted it, or where it was made in a transaction that was taken
  /// back: asking for it before each change would cost a statement.
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
      // What happened first is what the program is told.
      store.logger?.error("\(error.loggedMessage)")
      return first
    }
  }
}
