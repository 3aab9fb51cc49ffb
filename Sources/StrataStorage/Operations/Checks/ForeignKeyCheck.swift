package import GRDB
import StrataSchema

/// The violations of foreign keys that a migration adds to the existing ones.
package struct ForeignKeyCheck {
  private struct Key: Hashable {
    var table: String
    var parent: String
  }

  /// By tables and not by columns: rebuilding a table may change the numbers of its references.
  private var counts: [Key: Int] = [:]

  /// The number of dangling references of each table.
  package var dangling: [String: Int] {
    Dictionary(counts.map { ($0.key.table, $0.value) }, uniquingKeysWith: +)
  }

  /// Whether no reference is dangling.
  package var isClean: Bool { counts.isEmpty }

  package init(_ db: Database) throws {
    if try count("PRAGMA foreign_key_check", db) { return }
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    for table in tables {
      _ = try count("PRAGMA foreign_key_check(\(SQLName.quote(table)))", db)
    }
  }

  /// Adds the violations that a statement finds. If a table refers to columns that aren't unique,
  /// it can't be checked before or after the migration: then returns false, and adds nothing.
  private mutating func count(_ sql: String, _ db: Database) throws -> Bool {
    do {
      var found: [Key: Int] = [:]
      let rows = try Row.fetchCursor(db, sql: sql)
      while let row = try rows.next() {
        found[Key(table: row[0], parent: row[2]), default: 0] += 1
      }
      counts.merge(found, uniquingKeysWith: +)
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return false
    }
  }

  /// - Throws: ``RealmError`` with code `fail` if there are more violations than `before`.
  package func compare(with before: ForeignKeyCheck) throws(RealmError) {
    let added = counts.filter { $0.value > before.counts[$0.key, default: 0] }
    guard !added.isEmpty else { return }
    let lines = added.map {
      "\n- \($0.value - before.counts[$0.key, default: 0]) rows of '\($0.key.table)' refer to rows of "
        + "'\($0.key.parent)' that are gone"
    }
    throw RealmError(
      .fail,
      "The migration would break references between tables:\(lines.sorted().joined())\n"
        + "Delete the rows that refer to others first, or keep those that are referred to.")
  }
}
