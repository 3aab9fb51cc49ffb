import GRDB
package import StrataSchema

extension OperationRunner {
  package func createTable(_ schema: ObjectSchema) throws {
    guard try take(schema.className) else {
      throw RealmError(
        .fail,
        "Class '\(schema.className)' can't get a table: the file has a table or view of that name, "
          + "which this library didn't make. Rename one of them, or use another file.")
    }
    for table in schema.collectionTables { try takeName(of: table) }
    for sql in TableSQL.createAll(schema) { try db.execute(sql: sql) }
  }

  /// Whether a name was free, which it is no longer.
  package func take(_ name: String) throws -> Bool {
    if takenNames == nil {
      let sql = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
      takenNames = Set(try String.fetchAll(db, sql: sql).map(SQLName.folded))
    }
    return takenNames?.insert(SQLName.folded(name)).inserted == true
  }

  /// Adds the column of a property, or the two of an `AnyRealmValue`.
  func addColumn(_ table: String, _ property: Property, _ value: ColumnDefault) throws {
    let statements = TableSQL.addColumn(table: table, property: property, default: value)
    for (sql, column) in zip(statements, property.columns.indices) {
      do {
        try db.execute(sql: sql)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // Asked only now: looking at all columns takes a third of the time of adding one.
        try checkAreFree(property.columns[column...].map(\.name), table, property)
        throw error
      }
    }
  }

  private func checkAreFree(_ names: [String], _ table: String, _ property: Property) throws {
    let names = names.map { SQLName.folded($0) }
    let present = try Catalog.columns(of: table, db).first {
      names.contains(SQLName.folded($0.name))
    }
    guard let present else { return }
    throw RealmError(
      .fail,
      "Property '\(table).\(property.name)' can't get a column: another program added a column "
        + "'\(present.name)' to the table. Rename or drop that column.")
  }
}
