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
      indexes.append(.plain(table: name, columns: [Self.value]))
    }
    if let typeColumnName {
      indexes.append(.link(table: name, column: Self.value, typeColumn: typeColumnName))
    }
    return indexes
  }
}

/// The `DEFAULT` clauses of columns, for rows that other programs and older releases insert.
package enum DefaultSQL {
  /// Returns the clause's value for a constant; nil for a value without an exact SQL text.
  package static func constant(_ value: StoredValue) -> String? {
    if case .real(let number) = value, !value.isExactLiteral { return fraction(number) }
    return value != .null && value.isExactLiteral ? value.sqlLiteral : nil
  }

  /// Returns a number as a fraction of two integers, because SQLite doesn't always find the nearest
  /// number when it reads decimals. Nil for numbers below a quintillionth, which have no such form.
  private static func fraction(_ number: Double) -> String? {
    guard number.isFinite, number != 0 else { return nil }
    var (numerator, power) = (number.significand, Int(number.exponent))
    while numerator != numerator.rounded() { (numerator, power) = (numerator * 2, power - 1) }
    guard (-62 ... -1).contains(power) else { return nil }
    let sign = number < 0 ? "-" : ""
    return "(\(sign)\(Int64(numerator)) / CAST(\(Int64(1) << -power) AS REAL))"
  }

  /// Returns an expression that gives each row a value of its own: a random UUID or ObjectId, the
  /// present time. Nil for other types.
  ///
  /// SQLite evaluates it for each inserted row. `ADD COLUMN` doesn't accept it, so only created and
  /// rebuilt tables have it.
  package static func generated(_ type: PropertyType) -> String? {
    switch type {
    case .UUID:
      // Each connection parses the text of all tables, so the expression has few functions.
      """
      (printf('%08X-%04X-4%03X-%04X-%012X', random() & 0xFFFFFFFF, random() & 0xFFFF, \
      random() & 0xFFF, random() & 0x3FFF | 0x8000, random() & 0xFFFFFFFFFFFF))
      """
    case .objectId: "(printf('%08x%016x', strftime('%s', 'now'), random()))"
    case .date: "(strftime('%Y-%m-%d %H:%M:%f', 'now') || '000000')"
    default: nil
    }
  }

  /// Whether the value of a clause differs for each row.
  package static func isGenerated(_ sql: String) -> Bool {
    [PropertyType.UUID, .objectId, .date].contains { generated($0) == sql }
  }

  /// Returns the value of a clause for a default as `PRAGMA table_xinfo` reports it, which leaves
  /// out the parentheses around an expression.
  package static func value(reported sql: String) -> String {
    let isLiteral =
      sql.wholeMatch(
        of: /[+-]?[0-9.]+([eE][+-]?[0-9]+)?|[xX]?'([^']|'')*'|"([^"]|"")*"|[A-Za-z_]+/) != nil
    return isLiteral ? sql : "(\(sql))"
  }
}

extension StoredValue {
  /// The value as SQL text.
  ///
  /// - `Double` in its shortest exact decimal form; the infinities as 9e999, which SQLite reads as
  ///   infinity. NaN, which SQLite does not have, becomes NULL.
  /// - Text with quotes doubled. SQLite stops reading SQL at a NUL character, so text that contains
  ///   one is written as a cast of its bytes.
  package var sqlLiteral: String {
    switch self {
    case .null: return "NULL"
    case .integer(let value): return String(value)
    case .real(let value): return Self.sql(value)
    case .text(let value):
      let utf8 = value.utf8
      if utf8.contains(0) { return "CAST(x'\(hexDigits(of: utf8))' AS TEXT)" }
      return value.quoted("'")
    case .blob(let bytes): return "x'\(hexDigits(of: bytes))'"
    }
  }

  /// Whether `sqlLiteral` represents exactly this value, and may follow `DEFAULT`.
  ///
  /// SQLite does not always find the nearest double when it reads decimal text, and `ALTER TABLE
  /// ADD COLUMN` accepts no expression as a default. Other values must be bound.
  package var isExactLiteral: Bool {
    switch self {
    case .null, .integer, .blob: true
    case .text(let value): !value.utf8.contains(0)
    case .real(let value): value.isInfinite || Self.hasFewDigits(value)
    }
  }

  private static func sql(_ value: Double) -> String {
    if value.isNaN { return "NULL" }
    if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
    return value.description
  }

  /// Whether a number has up to three decimals, and is small enough that its digits alone are
  /// exact.
  ///
  /// SQLite divides the digits by a power of ten in extended precision and rounds twice. Only up to
  /// 10^3 is the quotient always far enough from the middle between two doubles.
  private static func hasFewDigits(_ value: Double) -> Bool {
    guard value.isFinite, value.magnitude < 9e12 else { return false }
    let parts = value.description.split(separator: ".")
    return parts.count == 2 && parts[1].utf8.count <= 3 && !parts[1].utf8.contains(0x65)
  }
}
