import GRDB
import StrataSchema
import StrataStorage

/// The current row of a statement, with its values as the file keeps them: a text may have a zero
/// in it, which ends the texts of GRDB's rows.
struct SQLRow {
  fileprivate let statement: Statement

  subscript(column: Int) -> StoredValue { statement.storedValue(Int32(column)) }

  func integer(_ column: Int) -> Int64? {
    if case .integer(let number) = self[column] { number } else { nil }
  }

  func text(_ column: Int) -> String? {
    if case .text(let text) = self[column] { text } else { nil }
  }
}

extension Database {
  /// Runs a statement, and calls a closure with each of its rows.
  func forEachRow(
    _ sql: String, _ parameters: [StoredValue] = [], _ body: (SQLRow) throws -> Void
  ) throws {
    let statement = try makeStatement(sql: sql)
    for (index, parameter) in parameters.enumerated() {
      try statement.bindRaw(parameter, at: Int32(index + 1))
    }
    while try statement.stepRaw() { try body(SQLRow(statement: statement)) }
  }
}
