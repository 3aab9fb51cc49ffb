package struct ColumnDefinition: Sendable, Hashable {
  package var name: String
  package var type: ColumnType
  package var isRequired: Bool
  package var references: String?
  /// Whether the row is deleted with the row that it refers to. Otherwise the column becomes NULL.
  package var cascades = false

  /// The definition in SQL, for `CREATE TABLE` and `ADD COLUMN`.
  ///
  /// A reference names no column, and therefore refers to the identity, whatever its present name.
  package var sql: String {
    var result = "\(SQLName.quote(name)) \(type.rawValue)"
    if isRequired { result += " NOT NULL" }
    if let references {
      result += " REFERENCES \(SQLName.quote(references))"
      result += cascades ? " ON DELETE CASCADE" : " ON DELETE SET NULL"
    }
    return result
  }
}

extension ColumnDefinition {
  /// Returns the name of the type column of an `AnyRealmValue`.
  package static func typeName(of column: String) -> String { column + "_type" }
}

extension Property {
  /// The column with the type of an `AnyRealmValue`, beside its value.
  package var typeColumnName: String? {
    type == .any && isStoredInColumn ? ColumnDefinition.typeName(of: columnName) : nil
  }

  /// The columns of the property: one, two for `AnyRealmValue`, none for collections.
  package var columns: [ColumnDefinition] {
    guard isStoredInColumn else { return [] }
    let column = ColumnDefinition(
      name: columnName,
      type: ColumnType(type),
      isRequired: !isNullable,
      references: type == .object ? objectClassName : nil
    )
    guard let typeColumnName else { return [column] }
    return [column, ColumnDefinition(name: typeColumnName, type: .text, isRequired: false)]
  }
}

/// The declared type of a column. STRICT tables accept only these types.
package enum ColumnType: String, Sendable, Hashable {
  /// Integers, booleans, and the identities that links hold.
  case integer = "INTEGER"
  case real = "REAL"
  /// Text, and all types with a readable and sortable text form.
  case text = "TEXT"
  case blob = "BLOB"
  /// Any value, stored without conversion.
  case any = "ANY"

  package init(_ type: PropertyType) {
    switch type {
    case .int, .bool, .object, .linkingObjects: self = .integer
    case .float, .double: self = .real
    case .string, .date, .UUID, .objectId, .decimal128: self = .text
    case .data: self = .blob
    case .any: self = .any
    }
  }
}

extension Property {
  /// Returns the columns of a retired property. A required column has a default, so that programs
  /// without the property can insert rows.
  package func retiredColumns(defaults: [String: String]) -> [ExtraColumn] {
    columns.map { column in
      let zero = column.isRequired ? StoredValue.zero(for: type).sqlLiteral : nil
      let value = defaults[column.name] ?? zero
      return ExtraColumn(
        name: column.name, definition: column.sql + (value.map { " DEFAULT \($0)" } ?? ""))
    }
  }
}

/// The value of a new column in existing rows.
package enum ColumnDefault: Sendable, Hashable {
  /// The same value in every row.
  case constant(StoredValue)
  /// A value for each row, from evaluating the Swift default each time (`UUID()`, `Date()`).
  case perRow
}

/// A table to be rebuilt, because SQLite cannot change it in place.
///
/// ``RebuildTableSQL`` contains the statements. After them the executor creates the plain indexes
/// of `target` (``IndexSQL/createAll(of:)``). An index that is added or removed together with the
/// rebuild has no operation of its own. The rebuild doesn't create the primary key's unique index.
/// A `createPrimaryKey` operation does, after a check for duplicates.
package struct TableRebuild: Sendable, Hashable {
  package enum Source: Sendable, Hashable {
    /// From a column of the old table.
    case column(String)
    /// A column of the old table, with a value in place of NULL.
    case columnOrDefault(String, StoredValue)
    /// The same value in every row.
    case value(StoredValue)
    /// An expression of columns of the old table, which are qualified with the table's name.
    case expression(String)
  }

  package struct Column: Sendable, Hashable {
    package var property: Property
    package var source: Source

    package init(property: Property, source: Source) {
      self.property = property
      self.source = source
    }
  }

  /// The name of the table, before and after.
  package var table: String
  /// The required table. Its primary key is nil, and only columns to be indexed have `wantsIndex`.
  package var target: ObjectSchema
  /// The columns in their new order, without the identity.
  package var columns: [Column]
  /// The name of the identity in the old table.
  package var sourceIdentityColumn: String

  /// Creates a rebuild. By default the identity keeps its name.
  package init(
    table: String,
    target: ObjectSchema,
    columns: [Column],
    sourceIdentityColumn: String? = nil
  ) {
    self.table = table
    self.target = target
    self.columns = columns
    self.sourceIdentityColumn = sourceIdentityColumn ?? target.identityColumn
  }
}

/// A column as reported by `PRAGMA table_xinfo`.
package struct CatalogColumn: Sendable, Hashable {
  package var table: String
  package var name: String
  package var type: String
  package var notNull: Bool
  /// The default, as SQL text.
  package var defaultSQL: String?
  /// Whether the column is (part of) the primary key of the table.
  package var isPrimaryKey: Bool
  /// 0 for an ordinary column; 2 and 3 for generated ones.
  package var hidden: Int

  package init(
    table: String,
    name: String,
    type: String,
    notNull: Bool = false,
    defaultSQL: String? = nil,
    isPrimaryKey: Bool = false,
    hidden: Int = 0
  ) {
    self.table = table
    self.name = name
    self.type = type
    self.notNull = notNull
    self.defaultSQL = defaultSQL
    self.isPrimaryKey = isPrimaryKey
    self.hidden = hidden
  }
}

/// A column that another tool added to the table of a class.
///
/// An extra column is not a part of the schema, and stays unchanged even when its table is rebuilt.
package struct ExtraColumn: Sendable, Hashable {
  package var name: String
  /// Its definition in `CREATE TABLE`.
  package var definition: String

  package init(name: String, definition: String) {
    self.name = name
    self.definition = definition
  }
}
