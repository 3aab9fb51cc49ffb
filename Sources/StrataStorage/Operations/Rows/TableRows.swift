package import GRDB
package import StrataSchema

/// The rows of one table, one by one.
package struct TableRows {
  package let db: Database
  /// Quoted, as is the identity.
  package let table: String
  package let identity: String

  package init(db: Database, table: String, identity: String) {
    self.db = db
    self.table = table
    self.identity = identity
  }

  /// A property, and what its columns have or are to have.
  package typealias Value = (property: Property, element: _StoredElement)

  /// Reads a row; nil where there is none.
  ///
  /// - Parameter columns: Quoted. The statement has the identity before them.
  package func read<Result>(
    _ row: Int64, _ columns: [String], _ body: (OpaquePointer) -> Result
  ) throws -> Result? {
    let names = ([identity] + columns).joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: "SELECT \(names) FROM \(table) WHERE \(identity) = ?")
    statement.bindRaw(row, at: 1)
    guard try statement.stepRaw() else { return nil }
    defer { statement.resetRaw() }
    return body(statement.sqliteStatement)
  }

  package func contains(_ row: Int64) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: "SELECT 1 FROM \(table) WHERE \(identity) = ?")
    statement.bindRaw(row, at: 1)
    defer { statement.resetRaw() }
    return try statement.stepRaw()
  }

  /// The identities of all rows, in order.
  package func identities() throws -> [Int64] {
    try Int64.fetchAll(db, sql: "SELECT \(identity) FROM \(table) ORDER BY \(identity)")
  }

  /// Calls a closure for the identity of each row, in any order.
  package func forEachIdentity(_ body: (Int64) -> Void) throws {
    let rows = try db.cachedStatement(sql: "SELECT \(identity) FROM \(table)")
    while try rows.stepRaw() { body(rows.int64(0)) }
  }

  /// The identities of the rows that link to one of another table through a property.
  package func linking(to row: Int64, through link: Property, of className: String) throws
    -> [Int64]
  {
    let sql: String
    if let collection = CollectionTable(className: className, property: link) {
      sql = """
        SELECT \(CollectionTable.owner) FROM \(SQLName.quote(collection.name))
        WHERE \(CollectionTable.value) = ? ORDER BY 1
        """
    } else {
      let column = SQLName.quote(link.columnName)
      sql = "SELECT \(identity) FROM \(table) WHERE \(column) = ? ORDER BY 1"
    }
    return try Int64.fetchAll(db, sql: sql, arguments: [row])
  }

  /// Inserts a row; SQLite chooses its identity, which is returned.
  package func insert(_ values: [Value]) throws -> Int64 {
    // A class may have nothing but collections.
    let columns =
      [identity] + values.flatMap(\.property.columns).map { SQLName.quote($0.name) }
    let parameters = (["NULL"] + columns.dropFirst().map { _ in "?" }).joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(parameters))
        """)
    _ = try statement.bind(values)
    _ = try statement.stepRaw()
    return db.lastInsertedRowID
  }

  /// Sets properties of a row.
  package func update(_ row: Int64, _ values: [Value]) throws {
    let columns = values.flatMap(\.property.columns).map { "\(SQLName.quote($0.name)) = ?" }
    let statement = try db.cachedStatement(
      sql: "UPDATE \(table) SET \(columns.joined(separator: ", ")) WHERE \(identity) = ?")
    let index = try statement.bind(values)
    statement.bindRaw(row, at: index)
    _ = try statement.stepRaw()
  }

  package func delete(_ row: Int64) throws {
    try db.runRaw("DELETE FROM \(table) WHERE \(identity) = ?", row)
  }

  package func deleteAll() throws { try db.execute(sql: "DELETE FROM \(table)") }
}

extension Statement {
  /// Binds values one after the other; returns the index behind them.
  fileprivate func bind(_ values: [TableRows.Value]) throws -> Int32 {
    var index: Int32 = 1
    for (property, element) in values { try bind(element, property.columns.count, at: &index) }
    return index
  }
}

extension Database {
  /// Gives a value as the columns of a statement, which is how properties read them.
  package func reading<Value>(
    _ element: _StoredElement, _ body: (OpaquePointer) -> Value
  ) throws -> Value {
    let statement = try cachedStatement(sql: "SELECT ?, ?")
    var index: Int32 = 1
    try statement.bind(element, 2, at: &index)
    _ = try statement.stepRaw()
    defer { statement.resetRaw() }
    return body(statement.sqliteStatement)
  }
}
