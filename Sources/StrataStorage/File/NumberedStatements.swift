import GRDB
import GRDBSQLite
import Synchronization

/// The prepared statements of one connection, by the numbers of their texts.
///
/// Each number maps to one slot of a table, and a statement replaces another one in its slot.
/// Numbers are assigned in the order of first use, so they don't collide if the program has fewer
/// statements than there are slots.
final class NumberedStatements {
  private struct Entry {
    /// -1 without a statement.
    var number = -1
    var statement: OpaquePointer?
  }

  private static let places = 256

  private let connection: OpaquePointer
  private var entries = [Entry](repeating: Entry(), count: places)
  /// Statements that were replaced in the middle of a row: code of the program that runs while a
  /// value is made, such as a default value or a conversion, may read with the same text.
  private var aside: [OpaquePointer] = []

  init(_ connection: OpaquePointer) { self.connection = connection }

  // A connection must finalize its statements before it closes.
  deinit {
    for entry in entries { sqlite3_finalize(entry.statement) }
    for statement in aside { sqlite3_finalize(statement) }
  }

  var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

  /// The memory of all statements of the connection, including GRDB's, in bytes.
  var bytes: Int {
    var (now, most): (CInt, CInt) = (0, 0)
    sqlite3_db_status(connection, SQLITE_DBSTATUS_STMT_USED, &now, &most, 0)
    return Int(now)
  }

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

/// The SQL of a statement that is used repeatedly.
///
/// A connection finds the statement of a kept text by its number, without hashing the text: see
/// ``NumberedStatements``.
package final class StatementText: Sendable {
  package let sql: String
  private let isKept: Bool
  private let given = Atomic(none)

  private static let none = -1
  private static let numbers = Atomic(0)

  /// - Parameter isKept: Whether the text is created once for all of its uses.
  package init(_ sql: String, isKept: Bool = true) {
    self.sql = sql
    self.isKept = isKept
  }

  /// The number in this process, assigned at the first use, so that unused texts take no slots. Nil
  /// for a text that isn't kept; its statement is found by the text.
  var number: Int? {
    guard isKept else { return nil }
    let number = given.load(ordering: .relaxed)
    return number == Self.none ? makeNumber() : number
  }

  private func makeNumber() -> Int {
    let new = Self.numbers.wrappingAdd(1, ordering: .relaxed).oldValue
    let result = given.compareExchange(expected: Self.none, desired: new, ordering: .relaxed)
    return result.exchanged ? new : result.original
  }
}
