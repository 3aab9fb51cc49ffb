package import GRDB
package import StrataSchema

/// The tables, columns and indexes of a file, also those of other programs.
package struct Catalog {
  struct Item: Equatable {
    package let type: String
    package let name: String
    package let table: String
    package let sql: String?

    /// Whether it is a trigger of this library.
    var isOwnTrigger: Bool {
      type == "trigger" && SQLName.folded(name).hasPrefix(TriggerSQL.prefix)
    }
  }

  var items: [Item]
  package var columns: [CatalogColumn]
  /// The settings of the history that the file keeps; nil where it keeps none.
  package var history: HistorySettings?

  package static func read(_ db: Database) throws -> Catalog {
    let items = try readItems(db)
    return Catalog(
      items: items, columns: try readColumns(db), history: try readHistory(db, items))
  }

  static func readHistory(_ db: Database, _ items: [Item]) throws -> HistorySettings? {
    guard items.contains(where: { $0.type == "table" && $0.name == HistoryTable.settings }) else {
      return nil
    }
    return try HistoryTable.settings(db)
  }

  /// Whether a history is kept, and one of its tables was dropped.
  var lacksHistoryTable: Bool {
    history != nil && !HistoryTable.all.allSatisfy(hasTable)
  }

  static func readItems(_ db: Database) throws -> [Item] {
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"
    let rows = try Row.fetchCursor(db, sql: sql)
    var items: [Item] = []
    while let row = try rows.next() {
      items.append(Item(type: row[0], name: row[1], table: row[2], sql: row[3]))
    }
    return items
  }

  /// The columns of all tables.
  ///
  /// Without those of virtual tables, which have no root page: asking for the columns of one fails
  /// when its module isn't there.
  static func readColumns(_ db: Database) throws -> [CatalogColumn] {
    try columns(
      db,
      sql: """
        FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS p
        WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.rowid, p.cid
        """)
  }

  /// The columns of one table that is there.
  static func columns(of table: String, _ db: Database) throws -> [CatalogColumn] {
    try columns(
      db,
      sql: """
        FROM (SELECT ? AS name) AS m JOIN pragma_table_xinfo(m.name) AS p ORDER BY p.cid
        """, arguments: [table])
  }

  private static func columns(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws -> [CatalogColumn] {
    let select = "SELECT m.name, p.name, p.type, p.\"notnull\", p.dflt_value, p.pk, p.hidden "
    return try Row.fetchAll(db, sql: select + sql, arguments: arguments).map {
      CatalogColumn(
        table: $0[0], name: $0[1], type: $0[2], notNull: $0[3], defaultSQL: $0[4],
        isPrimaryKey: ($0[5] as Int) > 0, hidden: $0[6])
    }
  }

  /// The columns of a table, which SQLite finds without regard to ASCII case.
  func columns(of table: String) -> [CatalogColumn] {
    let name = SQLName.folded(table)
    return columns.filter { SQLName.folded($0.table) == name }
  }

  /// Whether a table or view has that name, which SQLite compares without regard to ASCII case.
  func hasTable(_ name: String) -> Bool {
    let name = SQLName.folded(name)
    return items.contains {
      ($0.type == "table" || $0.type == "view") && SQLName.folded($0.name) == name
    }
  }

  private var indexNames: Set<String> {
    Set(items.lazy.filter { $0.type == "index" }.map(\.name))
  }

  /// A schema without the dropped indexes of columns, which opening the file creates again.
  ///
  /// Those of collections are among the ``HelperItems``.
  func withPresentIndexes(_ schema: Schema) -> Schema {
    let present = indexNames
    var result: [ObjectSchema] = []
    for var object in schema.objectSchema {
      for index in object.properties.indices {
        let property = object.properties[index]
        guard property.isStoredInColumn, property.wantsIndex, object.primaryKey != property.name
        else { continue }
        let name = IndexSQL.name(table: object.className, column: property.columnName)
        if !present.contains(name) { object.properties[index].wantsIndex = false }
      }
      object.compoundIndexes.removeAll {
        !present.contains(IndexSQL.name(table: object.className, columns: $0))
      }
      result.append(object)
    }
    return Schema(result)
  }

  func missingPrimaryKeys(of schema: Schema) -> [String] {
    let present = indexNames
    return schema.objectSchema.compactMap { object in
      guard let key = object.primaryKeyProperty else { return nil }
      let name = IndexSQL.name(table: object.className, column: key.columnName)
      return present.contains(name)
        ? nil : "The unique index '\(name)' of the primary key is missing."
    }
  }
}
