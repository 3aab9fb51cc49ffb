/// `CREATE TABLE` for a class, and statements that add or set columns.
///
/// ```sql
/// CREATE TABLE "Person" (
///   "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
///   "name" TEXT NOT NULL,
///   "age" INTEGER
/// ) STRICT
/// ```
package enum TableSQL {
  /// Returns the statement that creates the table alone, under its own or another name.
  ///
  /// With `AUTOINCREMENT` SQLite never reuses the identity of a deleted row, so an object reference
  /// never becomes another object. Columns of `Data` come last: SQLite reads a row from its
  /// beginning, so it skips a large value only to read the columns after it.
  /// - Parameters:
  ///   - defaults: The values of `DEFAULT` clauses, by column: see ``DefaultSQL``.
  ///   - extraColumns: Definitions of columns that other tools added, kept unchanged.
  package static func create(
    _ schema: ObjectSchema,
    named name: String? = nil,
    defaults: [String: String] = [:],
    extraColumns: [String] = []
  ) -> String {
    let identity = SQLName.quote(schema.identityColumn)
    let columns =
      ["\(identity) INTEGER PRIMARY KEY AUTOINCREMENT"]
      + (schema.properties.filter { $0.type != .data }
      + schema.properties.filter { $0.type == .data })
      .flatMap(\.columns).map { column in
        column.sql + (defaults[column.name].map { " DEFAULT \($0)" } ?? "")
      }
      + extraColumns
    return """
      CREATE TABLE \(SQLName.quote(name ?? schema.className)) (
        \(columns.joined(separator: ",\n  "))
      ) STRICT
      """
  }

  /// Returns the statements that create the table with its indexes and its primary key, and the
  /// tables of its collections.
  package static func createAll(
    _ schema: ObjectSchema, defaults: [String: String] = [:]
  ) -> [String] {
    [create(schema, defaults: defaults)] + IndexSQL.createAll(of: schema)
      + schema.collectionTables.flatMap(\.statements)
  }
}

extension TableSQL {
  /// Returns the `ALTER TABLE … ADD COLUMN` statements for the columns of a property: two for
  /// `AnyRealmValue`.
  ///
  /// SQLite refuses a new NOT NULL column without a default. It stores the default in the table's
  /// definition and not in the rows, so the cost doesn't depend on their number.
  package static func addColumn(
    table: String,
    property: Property,
    default: ColumnDefault
  ) -> [String] {
    property.columns.map { column in
      var sql = "ALTER TABLE \(SQLName.quote(table)) ADD COLUMN \(column.sql)"
      if column.isRequired {
        sql += " DEFAULT \(value(of: `default`, for: property.type).sqlLiteral)"
      }
      return sql
    }
  }

  private static func value(of default: ColumnDefault, for type: PropertyType) -> StoredValue {
    switch `default` {
    case .constant(let value) where value != .null: value
    case .constant, .perRow: .zero(for: type)
    }
  }
}

extension TableSQL {
  /// Returns the statement that sets columns of all rows of a table, or of the rows for which an
  /// SQL condition is true.
  ///
  /// Each column gets the value of its source. All values are computed from the row before the
  /// update.
  package static func setColumns(
    _ table: String, _ columns: [TableRebuild.Column], where condition: String? = nil
  ) -> String {
    let name = SQLName.quote(table)
    let assignments = columns.flatMap { RebuildTableSQL.copies(of: $0, from: name) }.map {
      "\(SQLName.quote($0.to)) = \($0.from)"
    }
    let filter = condition.map { " WHERE \($0)" } ?? ""
    return "UPDATE \(name) SET \(assignments.joined(separator: ", "))\(filter)"
  }
}

/// Parts of statements that insert several rows at once.
package enum InsertSQL {
  /// The maximum number of parameters of a statement. SQLite allows 32,766, but compiling a
  /// statement with many parameters takes time.
  private static let maxParameters = 1_000

  /// Returns the number of rows with a number of columns that one statement inserts.
  package static func rowsAtOnce(columns: Int, atMost most: Int) -> Int {
    max(1, min(most, maxParameters / columns))
  }

  /// Returns the parameters of some rows: `(?, ?), (?, ?)`.
  package static func parameters(columns: Int, rows: Int) -> String {
    let row = "(" + String(repeating: "?, ", count: columns - 1) + "?)"
    return String(repeating: row + ", ", count: rows - 1) + row
  }

  /// Returns the query for the greatest identity that a row of a table ever had, or 0.
  package static func lastIdentity(of table: String, identity: String) -> String {
    """
    SELECT max(
      ifnull((SELECT seq FROM sqlite_sequence WHERE name = \(StoredValue.text(table).sqlLiteral)), 0),
      ifnull((SELECT max(\(SQLName.quote(identity))) FROM \(SQLName.quote(table))), 0))
    """
  }
}

extension CollectionTable {
  /// Returns the statement that creates the table alone, under its own or another name.
  package func createTable(named other: String? = nil) -> String {
    var lines = columns.map(\.sql)
    if let primaryKey { lines.append("PRIMARY KEY (\(SQLName.list(primaryKey)))") }
    return """
      CREATE TABLE \(SQLName.quote(other ?? name)) (
        \(lines.joined(separator: ",\n  "))
      ) STRICT\(primaryKey == nil ? "" : ", WITHOUT ROWID")
      """
  }

  package var statements: [String] { [createTable()] + indexes.map(\.sql) }

  /// The statement that removes duplicates from a set, which can occur while its index is missing.
  package var deleteDuplicates: String {
    let columns = [Self.owner, Self.value] + (typeColumnName.map { [$0] } ?? [])
    let table = SQLName.quote(name)
    return "DELETE FROM \(table) WHERE rowid NOT IN "
      + "(SELECT min(rowid) FROM \(table) GROUP BY \(SQLName.list(columns)))"
  }

  /// The index that finds elements by their values, and values of a map by their keys; nil if the
  /// model doesn't request one.
  package var elementsIndex: IndexDefinition? {
    guard property.wantsIndex else { return nil }
    return IndexDefinition(
      "INDEX", IndexSQL.elementsName(table: name), on: name,
      SQLName.list(kind == .map ? [Self.key, Self.value] : [Self.value]))
  }

  /// The indexes that keep the values of a nullable set unique, and that find the collections of an
  /// object and the collections with a value.
  package var indexes: [IndexDefinition] {
    var indexes = elementsIndex.map { [$0] } ?? []
    if primaryKey == nil {
      let columns = [Self.owner, Self.value] + (typeColumnName.map { [$0] } ?? [])
      indexes += [
        IndexDefinition(
          "UNIQUE INDEX", IndexSQL.name(table: name, column: Self.value), on: name,
          SQLName.list(columns)),
        IndexDefinition(
          "UNIQUE INDEX", IndexSQL.nilName(table: name, column: Self.value), on: name,
          SQLName.quote(Self.owner), where: "\(SQLName.quote(Self.value)) IS NULL"),
      ]
    }
    if property.type == .object {
      indexes.append(.plain(table: name, column: Self.value))
    }
    if let typeColumnName {
      indexes.append(.link(table: name, column: Self.value, typeColumn: typeColumnName))
    }
    return indexes
  }
}
