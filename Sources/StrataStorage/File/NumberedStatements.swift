import GRDB
import GRDBSQLite

/// The prepared statements of one connection, by the numbers of their texts.
///
/// Each number has one place in a table: a statement gives way to another one of the same place.
/// Numbers are given in the order of first use, so that those of a program that has fewer
/// statements than places don't meet.
final class NumberedStatements {
  private struct Entry {
    /// -1 without a statement.
    var number = -1
    var statement: OpaquePointer?
  }

  private static let places = 256

  private let connection: OpaquePointer
  private var entries = [Entry](repeating: Entry(), count: places)
  /// Those that gave way in the middle of a row: while a value of it is made, code of the program,
  /// such as a default value or a conversion, may read by the same text.
  private var aside: [OpaquePointer] = []

  init(_ connection: OpaquePointer) { self.connection = connection }

  // A connection must let go of its statements before it closes.
  deinit {
    for entry in entries { sqlite3_finalize(entry.statement) }
    for statement in aside { sqlite3_finalize(statement) }
  }

  var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

  /// What all statements of the connection take, also others, in bytes.
  var bytes: Int {
    var (now, most): (CInt, CInt) = (0, 0)
    sqlite3_db_status(connection, SQLITE_DBSTATUS_STMT_USED, &now, &most, 0)
    return Int(now)
  }

  /// The statement of a text with a number.
  @inline(__always)
  func statement(_ text: StatementText, _ number: Int) throws -> RawStatement {
    let place = number & (Self.places - 1)
    let entry = entries[place]
    if entry.number == number, let statement = entry.statement, sqlite3_stmt_busy(statement) == 0 {
      return RawStatement(statement)
    }
    return try prepare(text, number, at: place)
  }

  private func prepare(_ text: StatementText, _ number: Int, at place: Int) throws -> RawStatement {
    let made = try RawStatement.prepared(text.sql, on: connection, SQLITE_PREPARE_PERSISTENT)
    aside.removeAll { statement in
      guard sqlite3_stmt_busy(statement) == 0 else { return false }
      sqlite3_finalize(statement)
      return true
    }
    if let before = entries[place].statement {
      if sqlite3_stmt_busy(before) == 0 { sqlite3_finalize(before) } else { aside.append(before) }
    }
    entries[place] = Entry(number: number, statement: made.sqliteStatement)
    return made
  }
}
