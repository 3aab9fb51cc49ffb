package import GRDB
package import StrataSchema

/// The check that this SQLite library can search texts.
package enum TextSearchSupport {
  /// - Throws: ``RealmError`` with code `fail` when a class has a full-text index, and SQLite has
  ///   no FTS5.
  package static func check(_ schema: Schema, _ db: Database) throws {
    guard let first = schema.textTables.first, try !hasModule(db) else { return }
    throw RealmError(.fail, message(for: first))
  }

  package static func message(for table: TextTable) -> String {
    "Property '\(table.className).\(table.column)' has a full-text index, and this SQLite library has "
      + "no FTS5. Use a SQLite that is compiled with SQLITE_ENABLE_FTS5, or leave out 'fullText: true'."
  }

  /// Whether this SQLite has FTS5.
  static func hasModule(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT count(*) > 0 FROM pragma_module_list WHERE name = 'fts5'") == true
  }
}
