package import GRDB
import GRDBSQLite
package import StrataSchema

/// The rows of one table, one by one.
package struct TableRows {
  package let db: Database
  /// The table, quoted like the identity.
  package let table: String
  package let identity: String

  package init(db: Database, table: String, identity: String) {
    self.db = db
    self.table = table
    self.identity = identity
  }

  /// A property, and the value of its columns.
  package typealias Value = (property: Property, element: _StoredElement)

  /// Reads a row. Returns nil if missing.
  ///
  /// - Parameter columns: The columns, quoted. The identity is before them in the statement.
  package func read<Result>(
    _ row: Int64, _ columns: [String], _ body: (OpaquePointer) -> Result
  ) throws -> Result? {
    let names = ([identity] + columns).joined(separator: ", ")
    let sql = "SELECT \(names) FROM \(table) WHERE \(identity) = ?"
    return try db.firstRow(sql, row) { body($0.sqliteStatement) }
  }

  package func contains(_ row: Int64) throws -> Bool {
    try db.hasRow("SELECT 1 FROM \(table) WHERE \(identity) = ?", row)
  }

  /// Returns the identities of all rows, in order.
  package func identities() throws -> [Int64] {
    try Int64.fetchAll(db, sql: "SELECT \(identity) FROM \(table) ORDER BY \(identity)")
  }

  /// Calls a closure for the identity of each row, in any order.
  package func forEachIdentity(_ body: (Int64) -> Void) throws {
    let rows = try db.cachedStatement(sql: "SELECT \(identity) FROM \(table)")
    while try rows.stepRaw() { body(rows.int64(0)) }
  }

  /// Returns the identities of the rows that link to a row of another table through a property.
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

  /// Inserts a row. Returns its identity, which SQLite chooses.
  package func insert(_ values: [Value]) throws -> Int64 {
    // A class may have only collections.
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
  /// Binds values one after the other. Returns the next index.
  fileprivate func bind(_ values: [TableRows.Value]) throws -> Int32 {
    var index: Int32 = 1
    for (property, element) in values { try bind(element, property.columns.count, at: &index) }
    return index
  }
}

extension Database {
  /// Passes a value to a closure as the columns of a statement, the form in which properties read.
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

/// The items that other programs added to a table. They are dropped with the table, and must be
/// created again.
struct TableDependents {
  private let db: Database
  private let table: String
  private let statements: [String]

  /// Step 3: "Remember the format of all indexes, triggers, and views associated with table X".
  ///
  /// The indexes and triggers of this library are created with the table.
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

  /// Step 1: "If foreign key constraints are enabled, disable them". With them, dropping the old
  /// table would delete or change the rows that refer to it.
  static func checkCanBeRebuilt(_ table: String, _ db: Database) throws {
    guard try Int.fetchOne(db, sql: "PRAGMA foreign_keys") != 0 else { return }
    throw RealmError(.fail, "Table '\(table)' can't be rebuilt while foreign keys are enforced.")
  }

  /// Replaces the table, creates its indexes, and then the items of other programs.
  func replaceTable(by rebuild: [String], indexes: [String]) throws {
    // Without this setting the rename at the end fails if views or triggers elsewhere name the
    // table, because it doesn't exist at that moment.
    try db.execute(sql: "PRAGMA legacy_alter_table = ON")
    do {
      // GRDB runs no statement after SQLite has ended the transaction, which would hide the reason.
      defer { sqlite3_exec(db.sqliteConnection, "PRAGMA legacy_alter_table = OFF", nil, nil, nil) }
      for sql in rebuild { try db.execute(sql: sql) }
    }
    for sql in indexes { try db.execute(sql: sql) }
    // Step 8: "reconstruct indexes, triggers, and views associated with table X".
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
}
