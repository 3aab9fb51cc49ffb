import GRDB
package import StrataSchema

extension OperationRunner {
  func createCollection(_ table: CollectionTable) throws {
    try takeName(of: table)
    for sql in table.statements { try db.execute(sql: sql) }
  }

  /// - Throws: ``RealmError`` with code `fail` if another program has a table of that name.
  func takeName(of table: CollectionTable) throws {
    if try take(table.name) { return }
    throw RealmError(
      .fail,
      "Collection '\(table.className).\(table.property.columnName)' can't get a table: the file has a "
        + "table or view '\(table.name)', which this library didn't make. Rename one of them, or use "
        + "another file.")
  }

  package func dropCollection(_ table: CollectionTable) throws {
    recordRestarted(try restartedValues.counts(in: table))
    try db.execute(sql: "DROP TABLE \(SQLName.quote(table.name))")
  }

  func rebuildCollection(from old: CollectionTable, to new: CollectionTable) throws {
    guard try Int.fetchOne(db, sql: "PRAGMA foreign_keys") == 0 else {
      throw RealmError(
        .fail, "Table '\(old.name)' can't be rebuilt while foreign keys are enforced.")
    }
    let catalog = try Catalog.read(db)
    try checkHasNoExtraColumns(old, catalog)
    let dependents = TableDependents(of: old.name, catalog, db)
    let statements = RebuildCollectionSQL.statements(from: old, to: new)
    for statement in statements where statement.step < 7 { try db.execute(sql: statement.sql) }
    try TableDependents.renaming(db, statements.filter { $0.step == 7 })
    for index in new.indexes { try db.execute(sql: index.sql) }
    try dependents.recreate()
    recordRows(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(SQLName.quote(new.name))") ?? 0)
  }

  private func checkHasNoExtraColumns(
    _ table: CollectionTable, _ catalog: Catalog
  ) throws(RealmError) {
    let own = Set(table.columns.map { SQLName.folded($0.name) })
    let extra = catalog.columns(of: table.name).filter { !own.contains(SQLName.folded($0.name)) }
    guard !extra.isEmpty else { return }
    let names = extra.map { "'\($0.name)'" }.joined(separator: ", ")
    throw RealmError(
      .fail,
      "Table '\(table.name)' must be rebuilt, and other programs added columns to it (\(names)). "
        + "Drop these columns first and add them again after the migration.")
  }

  /// Removes a class with all its dependent rows and tables, and the links of other classes to it.
  ///
  /// The triggers delete the rows that depend on an object.
  package func dropTable(_ className: String, in schema: Schema) throws {
    let table = SQLName.quote(className)
    if let dropped = schema[className] {
      try HelperItems.make(of: schema, in: db, hasMoreToDo: true)
      try db.execute(sql: "DELETE FROM \(table)")
      try HelperItems.dropTriggers(in: db)
      let rest = schema.removing(className)
      let list = SchemaTranslator.operations(from: schema, to: rest, phase: .noBlock) {
        _, property in
        .constant(.zero(for: property.type))
      }
      try run(list.operations)
      // Identities of a new class with the same name would begin at 1 again.
      for sql in RenameClassSQL.clearingNestedValues(in: rest, of: className) {
        try db.execute(sql: sql)
      }
      for collection in dropped.collectionTables {
        try db.execute(sql: "DROP TABLE \(SQLName.quote(collection.name))")
      }
    }
    try db.execute(sql: "DROP TABLE \(table)")
  }
}
