import GRDB
import Logging
import StrataStorage

extension WriteTransaction {
  /// The error that the program is told when elements of a collection can't be written.
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
      // The program is told what happened first.
      store.logger?.error("\(error.loggedMessage)")
      return first
    }
  }
}
