import Foundation
package import GRDB
import GRDBSQLite
package import StrataSchema

/// A copier of rows with their collections and all embedded objects inside them.
final class RowCopier {
  private let db: Database
  private let links: IncomingLinks
  private var statements: [String: String] = [:]

  init(db: Database, links: IncomingLinks) {
    self.db = db
    self.links = links
  }

  /// Returns the identity of the copy; nil if there is no such row. Ordinary links are shared.
  func copy(_ row: Int64, of schema: ObjectSchema) throws -> Int64? {
    try db.cachedStatement(sql: try insertion(of: schema)).execute(arguments: [row])
    guard db.changesCount == 1 else { return nil }
    let copy = db.lastInsertedRowID
    for table in schema.collectionTables {
      let columns = SQLName.list(table.columns.map(\.name).filter { $0 != CollectionTable.owner })
      let name = SQLName.quote(table.name)
      let sql = """
        INSERT INTO \(name) ("owner", \(columns)) SELECT ?, \(columns) FROM \(name) WHERE "owner" = ?
        """
      try db.cachedStatement(sql: sql).execute(arguments: [copy, row])
    }
    for (property, child) in links.children(of: schema) {
      for (slot, row) in try links.children(in: property, of: schema, copy) {
        guard let childCopy = try self.copy(row, of: child) else { continue }
        let reference = Reference(origin: schema, property: property)
        try IncomingLinks.Link(reference: reference, owner: copy, slot: slot)
          .replace(row, with: childCopy, db)
      }
    }
    return copy
  }

  /// Includes the columns of other programs, except generated ones.
  private func insertion(of schema: ObjectSchema) throws -> String {
    if let sql = statements[schema.className] { return sql }
    let table = SQLName.quote(schema.className)
    let identity = SQLName.quote(schema.identityColumn)
    let columns = try Catalog.columns(of: schema.className, db)
      .filter { $0.hidden == 0 && !SQLName.collide($0.name, schema.identityColumn) }
    let names = SQLName.list(columns.map(\.name))
    // A class may have only collections.
    let sql =
      columns.isEmpty
      ? "INSERT INTO \(table) (\(identity)) SELECT NULL FROM \(table) WHERE \(identity) = ?"
      : "INSERT INTO \(table) (\(names)) SELECT \(names) FROM \(table) WHERE \(identity) = ?"
    statements[schema.className] = sql
    return sql
  }
}

/// A copy of the rows that one connection sees at this moment, in a temporary database.
///
/// Other connections don't see uncommitted rows. The copy stays the same while the connection
/// continues to write.
package final class TemporaryRows {
  private let folder: TemporaryFolder
  private let queue: DatabaseQueue

  /// Copies the rows. Takes time and disk space for each row, but little memory.
  package init(of schema: Schema, in db: Database, _ key: FileKey?) throws {
    folder = try TemporaryFolder(on: .disk)
    var configuration = Connections.configuration(key, "Strata.copy")
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      // After a failure the file is deleted.
      try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }
    let path = folder.url.appendingPathComponent("rows.sqlite").path
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { copy in
      for object in schema.stored.objectSchema {
        for sql in TableSQL.createAll(object) { try copy.execute(sql: sql) }
        try Self.copy(
          object.className,
          [object.identityColumn]
            + object.properties.filter(\.isStoredInColumn).flatMap(\.columns).map(\.name),
          from: db, to: copy)
      }
      for table in schema.stored.objectSchema.flatMap(\.collectionTables) {
        try Self.copy(table.name, table.columns.map(\.name), from: db, to: copy)
      }
    }
  }

  /// Runs a closure with the connection of the copy.
  package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try queue.unsafeRead(body)
  }

  private static func copy(
    _ table: String, _ columns: [String], from db: Database, to copy: Database
  ) throws {
    let rows = try db.makeStatement(
      sql: "SELECT \(SQLName.list(columns)) FROM \(SQLName.quote(table))")
    let parameters = InsertSQL.parameters(columns: columns.count, rows: 1)
    let insert = try copy.makeStatement(
      sql: """
        INSERT INTO \(SQLName.quote(table)) (\(SQLName.list(columns))) VALUES \(parameters)
        """)
    let source = rows.sqliteStatement
    let target = insert.sqliteStatement
    while try rows.stepRaw() {
      for column in 0..<Int32(columns.count) {
        let code = sqlite3_bind_value(target, column + 1, sqlite3_column_value(source, column))
        guard code == SQLITE_OK else {
          throw DatabaseError(resultCode: ResultCode(rawValue: code), sql: insert.sql)
        }
      }
      _ = try insert.stepRaw()
    }
  }
}
