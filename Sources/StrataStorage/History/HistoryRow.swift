import CStrataRuntime
package import Foundation
import GRDB
import GRDBSQLite
package import StrataSchema

/// A row of the table, with its changes as text.
struct HistoryRow {
  var token: HistoryToken
  var at: String
  var kind: HistoryTable.Kind
  var author: String?
  var process: String?
  var schemaVersion: UInt64
  var changes: String
  var kept: String?
}

extension HistoryRow {
  private static let columns =
    "position, mark, at, kind, author, process, schema_version, changes, kept"

  /// Returns the rows of a query, except rows that the library hasn't written.
  static func fetch(
    _ db: Database, _ condition: String, _ arguments: [StoredValue]
  ) throws -> [HistoryRow] {
    let statement = try db.cachedStatement(
      sql: "SELECT \(columns) FROM strata_history \(condition)")
    try statement.bindRaw(arguments)
    var rows: [HistoryRow] = []
    while try statement.stepRaw() {
      let values = (0..<9).map { StoredValue(statement.sqliteStatement, column: $0) }
      guard case .integer(let position) = values[0], case .integer(let mark) = values[1],
        let kind = values[3].text.flatMap(HistoryTable.Kind.init(rawValue:))
      else { continue }
      rows.append(
        HistoryRow(
          token: HistoryToken(position: position, mark: mark), at: values[2].text ?? "",
          kind: kind, author: values[4].text, process: values[5].text,
          schemaVersion: UInt64(bitPattern: statement.int64(6)), changes: values[7].text ?? "",
          kept: values[8].text))
    }
    return rows
  }
}

/// A transaction of a history, with today's names of classes and columns.
package struct HistoryEntry: Sendable {
  package var token: HistoryToken
  package var date: Date
  package var kind: HistoryTable.Kind
  package var author: String?
  package var process: String?
  package var schemaVersion: UInt64
  /// The mark of the file's origin at that time: see ``FileOrigins``.
  package var origin: Int64?
  /// Sorted by class name, then by identity.
  package var changes: [Change] = []
  /// Set only for a migration.
  package var migration: HistoryMigration?

  /// A change of one object, or with identity 0 of all objects of a class.
  package struct Change: Sendable {
    package var className: String
    package var row: Int64
    package var kind: HistoryGroup.Kind
    package var kept: [String: StoredValue] = [:]
    /// The primary key; nil if unknown, or if the class has none.
    package var key: StoredValue?
  }
}

/// The mark by which the triggers of a history recognize the library's own writing connection.
///
/// Without SQLite's pre-update hook the mark isn't set, and the triggers record all writes.
enum HistoryGuard {
  /// Overrides a function of SQLite on a connection. The connection must not have run a statement
  /// with this function before.
  ///
  /// GRDB's functions can't be `SQLITE_INNOCUOUS`, and triggers may call no other functions if
  /// `trusted_schema` is off.
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

  /// ``HistoryTriggers/guardValue``, in static memory.
  private static let value: StaticString = "strata"
}

/// The name of this process in a history: `orders-server[4711]@host1`.
enum HistoryProcess {
  static let name: String = {
    let process = ProcessInfo.processInfo
    return "\(process.processName)[\(process.processIdentifier)]@\(host)"
  }()

  /// The host name, without the name server that `ProcessInfo` asks.
  private static var host: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, gethostname(start, buffer.count) == 0 else {
        return "unknown"
      }
      // A truncated name may lack its terminator.
      buffer[buffer.count - 1] = 0
      return String(cString: start)
    }
  }
}
