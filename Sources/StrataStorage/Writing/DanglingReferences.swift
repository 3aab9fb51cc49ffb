import Foundation
import GRDB

/// The references to missing rows that prevent a commit.
///
/// SQLite counts them during the transaction. At its end it reports only that there are some.
enum DanglingReferences {
  private static let named = 3

  /// Adds the offending rows to a foreign-key error. Returns other errors unchanged.
  ///
  /// - Parameter db: The connection, still in the transaction, which a failed commit leaves open.
  static func explaining(_ error: any Error, _ db: Database) -> any Error {
    guard let error = error as? DatabaseError,
      error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY, db.isInsideTransaction
    else { return error }
    let plain = RealmError(error, at: db.fileURL)
    do {
      let lines = try first(db)
      guard !lines.isEmpty else { return error }
      return RealmError(
        .fail,
        "\(plain.message) Nothing was committed: \(lines.joined(separator: "; ")). Add the rows that are "
          + "referred to, or remove the references, before the transaction ends.",
        fileURL: plain.fileURL, underlyingError: error)
    } catch {
      // Reports the original error.
      return plain
    }
  }

  private static func first(_ db: Database) throws -> [String] {
    // A table-valued function, which ends after the first rows.
    let rows = try Row.fetchAll(
      db, sql: "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check LIMIT \(named)")
    let lines = rows.map { row in
      let (table, parent): (String, String) = (row[0], row[2])
      // Rows of collections have no number.
      let number = (row[1] as Int64?).map { "row \($0)" } ?? "a row"
      return "\(number) of table '\(table)' refers to a row of '\(parent)' that isn't there"
    }
    return lines.enumerated().filter { !lines[..<$0.offset].contains($0.element) }.map(\.element)
  }
}
