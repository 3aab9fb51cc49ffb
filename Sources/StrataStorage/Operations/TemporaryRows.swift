import Foundation
package import GRDB
import GRDBSQLite
package import StrataSchema

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
    var configuration = Connections.configuration(key)
    configuration.label = "Strata.copy"
    configuration.foreignKeysEnabled = false
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { db in
      QueryFunctions.add(to: db)
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
