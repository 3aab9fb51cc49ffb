import Foundation
import GRDB

/// The references to missing rows that keep a transaction from being committed.
///
/// SQLite counts them while the transaction runs, and says at its end only that there are some.
enum DanglingReferences {
  private static let named = 3

  /// The error of a commit, with the rows that it is about where it is about references.
  ///
  /// - Parameter db: In the transaction, which a commit that fails leaves open.
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
      // The program is told what happened first.
      return plain
    }
  }

  private static func first(_ db: Database) throws -> [String] {
    // A table-valued function: it ends after the first ones.
    let rows = try Row.fetchAll(
      db, sql: "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check LIMIT \(named)")
    let lines = rows.map { row in
      let (table, parent): (String, String) = (row[0], row[2])
      // Those of collections have no number.
      let number = (row[1] as Int64?).map { "row \($0)" } ?? "a row"
      return "\(number) of table '\(table)' refers to a row of '\(parent)' that isn't there"
    }
    return lines.enumerated().filter { !lines[..<$0.offset].contains($0.element) }.map(\.element)
  }
}
