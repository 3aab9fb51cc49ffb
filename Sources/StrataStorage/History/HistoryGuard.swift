import CStrataRuntime
import GRDB
import GRDBSQLite
import StrataSchema

/// The sign by which the triggers of a history know the library's own writing connection.
///
/// Without SQLite's pre-update hook it isn't given, and the triggers note all that is written.
enum HistoryGuard {
  /// Overrides a function of SQLite on a connection, which must not have run a statement that asks
  /// it.
  ///
  /// Not as one of GRDB's functions, which can't be `SQLITE_INNOCUOUS`: triggers may call no other
  /// function where `trusted_schema` is off.
  static func add(to db: Database) throws {
    guard strata_changes_are_available() else { return }
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, HistoryTriggers.guardFunction, 0,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, _ in
        sqlite3_result_text(context, HistoryGuard.value.utf8CString, -1, nil)
      }, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
  }

  /// ``HistoryTriggers/guardValue``, in memory that is never freed.
  private static let value: StaticString = "strata"
}

extension StaticString {
  /// The bytes, as C takes them.
  fileprivate var utf8CString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
