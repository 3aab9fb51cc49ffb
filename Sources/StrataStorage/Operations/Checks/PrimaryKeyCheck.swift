package import GRDB
package import StrataSchema

/// The creation of a primary key for a column, and the values that prevent it.
package struct PrimaryKeyCheck {
  package let db: Database
  package let table: String
  package let property: Property
  package let identity: String

  /// The number of values that the error names, and of rows for each.
  private static let named = 10

  package func createIndexes() throws {
    do {
      for sql in IndexSQL.createPrimaryKey(table: table, property: property) {
        try db.execute(sql: sql)
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw RealmError(.fail, try message(), underlyingError: error)
    }
  }

  private func message() throws -> String {
    let column = SQLName.quote(property.columnName)
    let groups = DuplicatesSQL.groups(of: column, in: SQLName.quote(table))
    let duplicates = try Row.fetchAll(
      db, sql: "SELECT value, n FROM (\(groups)) ORDER BY n DESC, value LIMIT \(Self.named)")
    let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(groups))") ?? 0
    var lines = try duplicates.map { row -> String in
      let value: DatabaseValue = row[0]
      let count: Int = row[1]
      let rows = try Int64.fetchAll(
        db,
        sql: """
          SELECT \(SQLName.quote(identity)) FROM \(SQLName.quote(table))
          WHERE \(column) IS ? ORDER BY 1 LIMIT \(Self.named)
          """, arguments: [value])
      let more = count > rows.count ? ", …" : ""
      let names = rows.map(String.init).joined(separator: ", ")
      return "\n- \(Self.text(value)) occurs \(count) times (\(identity) \(names)\(more))"
    }
    if total > duplicates.count { lines.append("\n- and \(total - duplicates.count) more values") }
    return "Primary key property '\(table).\(property.name)' has duplicate values after migration."
      + lines.joined()
      + "\nDelete objects, or give them other values, in the migration block; or leave one of each with "
      + "'migration.resolveDuplicates(ofType: \"\(table)\", keeping: .first)'."
  }

  package static func text(_ value: DatabaseValue) -> String { text(StoredValue(value)) }

  package static func text(_ value: StoredValue) -> String {
    switch value {
    case .null: "nil"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): "'\(value)'"
    case .blob(let value): "<\(value.count) bytes>"
    }
  }
}
