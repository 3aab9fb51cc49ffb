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
    let dependents = TableDependents(of: table, catalog, db)
    let statements = RebuildTableSQL.statements(rebuild, extraColumns: extra)
    for statement in statements where statement.step < 7 { try db.execute(sql: statement.sql) }
    try TableDependents.renaming(db, statements.filter { $0.step == 7 })
    for sql in IndexSQL.createAll(of: rebuild.target) { try db.execute(sql: sql) }
    try dependents.recreate()
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
    let clause = text.firstMatch(of: /\b(check|collate|unique|generated)\b/)?.1
    if let constraint = try clause.map(String.init) ?? reference(on: extra) {
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

  /// The links of the class refer to others as well.
  private func reference(on columns: [CatalogColumn]) throws -> String? {
    let names = Set(columns.map { SQLName.folded($0.name) })
    let references = try String.fetchAll(
      db, sql: "SELECT \"from\" FROM pragma_foreign_key_list(?)", arguments: [table])
    return references.contains { names.contains(SQLName.folded($0)) } ? "references" : nil
  }
}
