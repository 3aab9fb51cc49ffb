import GRDB
package import StrataSchema

extension OperationRunner {
  /// Renames a class, with its collections, indexes and triggers.
  ///
  /// - Throws: ``RealmError`` with code `fail` if a table has the name already, or if SQLite can't
  ///   adapt items that others added to the file.
  package func renameTable(_ className: String, to newName: String, in schema: Schema) throws {
    guard let old = schema[className] else { return }
    let start = "Cannot rename class '\(className)' to '\(newName)'"
    let catalog = try Catalog.read(db)
    let tables = RenameClassSQL.tables(of: old, to: newName)
    if let taken = tables.first(where: { catalog.hasTable($0.newName) }) {
      throw RealmError(
        .fail,
        "\(start): the file already has a table or view '\(taken.newName)'. Rename or drop that one "
          + "first, or choose another name for the class.")
    }
    do {
      for table in tables { try db.execute(sql: table.sql) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw RealmError(
        .fail,
        "\(start): a view or a trigger of another program stands in the way "
          + "(\(error.message ?? "")). Drop it first and create it again after the migration.",
        underlyingError: error)
    }
    try renameIndexes(of: tables)
    let renamed = schema.renaming(className, to: newName)
    for sql in RenameClassSQL.anyValues(in: renamed, from: className, to: newName) {
      try db.execute(sql: sql)
    }
    recordColumns(of: className, renamedTo: newName, in: renamed)
  }

  /// Renames the indexes, which are named after their tables. SQLite has no statement for that.
  ///
  /// The name is only a text in the catalog, so it is changed there: creating an index again takes
  /// time for each row. If SQLite doesn't allow writing to the catalog, the index is created again.
  private func renameIndexes(of tables: [RenameClassSQL.Table]) throws {
    let items = try Catalog.readItems(db).filter { $0.type == "index" }
    let indexes = items.compactMap { item -> (name: String, new: (name: String, sql: String))? in
      let table = tables.first { SQLName.collide($0.newName, item.table) }
      guard let table, let sql = item.sql,
        let new = RenameClassSQL.index(name: item.name, sql: sql, of: table)
      else { return nil }
      return (item.name, new)
    }
    guard !indexes.isEmpty else { return }
    try db.execute(sql: "PRAGMA writable_schema = ON")
    let isWritable = try Bool.fetchOne(db, sql: "PRAGMA writable_schema") == true
    let renamed = Result {
      for (name, new) in indexes where isWritable {
        try db.execute(
          sql: "UPDATE sqlite_schema SET name = ?, sql = ? WHERE type = 'index' AND name = ?",
          arguments: [new.name, new.sql, name])
      }
    }
    // SQLite reads the catalog again, as do all other connections: the tables have other names.
    try db.execute(sql: "PRAGMA writable_schema = RESET")
    db.clearSchemaCache()
    try renamed.get()
    for (name, new) in indexes where !isWritable {
      try db.execute(sql: "DROP INDEX \(SQLName.quote(name))")
      try db.execute(sql: new.sql)
    }
  }
}
