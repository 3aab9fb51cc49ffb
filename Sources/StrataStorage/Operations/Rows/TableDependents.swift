import GRDB
import StrataSchema

/// The items that other programs hung on a table, which go with the table and must come again.
struct TableDependents {
  private let db: Database
  private let table: String
  private let statements: [String]

  /// Step 3: "Remember the format of all indexes, triggers, and views associated with table X".
  ///
  /// The indexes and triggers of this library are made with the table.
  init(of table: String, _ catalog: Catalog, _ db: Database) {
    self.db = db
    self.table = table
    let folded = SQLName.folded(table)
    statements = catalog.items.compactMap { item in
      guard SQLName.folded(item.table) == folded, let sql = item.sql else { return nil }
      switch item.type {
      case "trigger": return item.isOwnTrigger ? nil : sql
      case "index": return SQLName.folded(item.name).hasPrefix(folded + ".") ? nil : sql
      default: return nil
      }
    }
  }

  /// Step 8: "reconstruct indexes, triggers, and views associated with table X".
  ///
  /// - Throws: ``RealmError`` with code `fail` for one that doesn't fit the table any more.
  func recreate() throws {
    for sql in statements {
      do {
        try db.execute(sql: sql)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        throw RealmError(
          .fail,
          "Table '\(table)' has an index or a trigger of another program that doesn't fit it any more "
            + "(\(error.message ?? "")): \(sql). Drop it first, or keep the property that it uses.",
          underlyingError: error)
      }
    }
  }

  /// Step 7. Views and triggers elsewhere name the table. Without this setting the rename fails on
  /// them, because at this moment the table that they name does not exist.
  static func renaming(_ db: Database, _ statements: [RebuildStatement]) throws {
    try db.execute(sql: "PRAGMA legacy_alter_table = ON")
    let renamed = Result { for statement in statements { try db.execute(sql: statement.sql) } }
    try db.execute(sql: "PRAGMA legacy_alter_table = OFF")
    try renamed.get()
  }
}
