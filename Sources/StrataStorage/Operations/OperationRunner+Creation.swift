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

  func checkIsFree(_ table: String, _ property: Property) throws {
    let names = property.columns.map { SQLName.folded($0.name) }
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
