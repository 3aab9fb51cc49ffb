import GRDB

/// Makes a table anew, in the order that SQLite's documentation gives for changes that
/// `ALTER TABLE` can't make: https://www.sqlite.org/lang_altertable.html#otheralter
struct TableRebuilder {
  let db: Database
  let rebuild: TableRebuild
  /// The columns of the class as it was and as it will be, as SQLite compares them.
  let ownColumns: Set<String>

  private var table: String { rebuild.table }

  func run() throws {
    // Step 1: "If foreign key constraints are enabled, disable them". With them, dropping the old
    // table would delete or change the rows that refer to it.
    guard try Int.fetchOne(db, sql: "PRAGMA foreign_keys") == 0 else {
      throw RealmError(.fail, "Table '\(table)' can't be rebuilt while foreign keys are enforced.")
    }
    let catalog = try Catalog.read(db)
    let extra = try extraColumns(catalog)
    // Step 3: "Remember the format of all indexes, triggers, and views associated with table X".
    let remembered = dependents(catalog)
    let statements = RebuildTableSQL.statements(rebuild, extraColumns: extra)
    for statement in statements where statement.step < 7 { try db.execute(sql: statement.sql) }
    try rename(statements.filter { $0.step == 7 })
    // Step 8: "reconstruct indexes, triggers, and views associated with table X".
    for sql in IndexSQL.createAll(of: rebuild.target) { try db.execute(sql: sql) }
    for sql in remembered { try recreate(sql) }
  }

  /// Views and triggers elsewhere name the table. Without this setting the rename fails on them,
  /// because at this moment the table that they name does not exist.
  private func rename(_ statements: [RebuildStatement]) throws {
    try db.execute(sql: "PRAGMA legacy_alter_table = ON")
    let renamed = Result { for statement in statements { try db.execute(sql: statement.sql) } }
    try db.execute(sql: "PRAGMA legacy_alter_table = OFF")
    try renamed.get()
  }

  private func recreate(_ sql: String) throws {
    do {
      try db.execute(sql: sql)
    } catch let error as DatabaseError {
      throw RealmError(
        .fail,
        "Table '\(table)' has an index or a trigger of another program that doesn't fit it any more "
          + "(\(error.message ?? "")): \(sql). Drop it first, or keep the property that it uses.",
        underlyingError: error)
    }
  }

  /// Indexes that others made, and the triggers of the table.
  private func dependents(_ catalog: Catalog) -> [String] {
    let prefix = SQLName.folded("\(table).")
    return catalog.items.compactMap { item in
      guard SQLName.folded(item.table) == SQLName.folded(table), let sql = item.sql else {
        return nil
      }
      switch item.type {
      case "trigger": return sql
      case "index": return SQLName.folded(item.name).hasPrefix(prefix) ? nil : sql
      default: return nil
      }
    }
  }

  /// The columns that other programs added: they are carried over as they are.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a column that the catalog doesn't describe
  ///   whole.
  private func extraColumns(_ catalog: Catalog) throws -> [ExtraColumn] {
    let folded = SQLName.folded(table)
    let extra = catalog.columns(of: table).filter { !ownColumns.contains(SQLName.folded($0.name)) }
    guard !extra.isEmpty else { return [] }
    let sql = catalog.items.first { $0.type == "table" && SQLName.folded($0.name) == folded }?.sql
    // Names in quotes are no clauses, whatever they are.
    let text = SQLName.folded(sql ?? "").replacing(/"[^"]*"/, with: "")
    let constraint = text.firstMatch(of: /\b(check|collate|unique|references|generated)\b/)?.1
    if let constraint {
      let names = extra.map { "'\($0.name)'" }.joined(separator: ", ")
      throw RealmError(
        .fail,
        "Table '\(table)' must be made anew, and other programs added columns to it (\(names)) with "
          + "a \(constraint.uppercased()) clause, which can't be carried over. Drop these columns "
          + "first and add them again after the migration.")
    }
    return extra.map { column in
      var definition = "\(SQLName.quote(column.name)) \(column.type)"
      if column.notNull { definition += " NOT NULL" }
      if let value = column.defaultSQL { definition += " DEFAULT \(value)" }
      return ExtraColumn(name: column.name, definition: definition)
    }
  }
}
