package import GRDB
package import StrataSchema

/// The tables, columns and indexes of a file, including the tables of other programs.
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
  package var columns: [CatalogColumn] = []
  /// The settings of the history that the file keeps; nil if there is no history.
  package var history: HistorySettings?

  package static func read(_ db: Database) throws -> Catalog {
    var catalog = try readWithoutColumns(db)
    catalog.columns = try readColumns(db)
    return catalog
  }

  package static func readWithoutColumns(_ db: Database) throws -> Catalog {
    var catalog = Catalog(items: try readItems(db))
    if catalog.items.contains(where: { $0.type == "table" && $0.name == HistoryTable.settings }) {
      catalog.history = try HistoryTable.settings(db)
    }
    return catalog
  }

  /// Whether the file keeps a history of which a table is missing.
  var lacksHistoryTable: Bool {
    history != nil && !(HistoryTable.all + [FileOrigins.name]).allSatisfy(hasTable)
  }

  static func readItems(_ db: Database) throws -> [Item] {
    try db.once("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid") { statement in
      var items: [Item] = []
      while try statement.stepRaw() {
        items.append(
          Item(
            type: statement.text(0) ?? "", name: statement.text(1) ?? "",
            table: statement.text(2) ?? "", sql: statement.text(3)))
      }
      return items
    }
  }

  /// Returns the columns of all tables, except virtual tables, which have no root page. Asking for
  /// the columns of a virtual table fails if its module isn't registered.
  static func readColumns(_ db: Database) throws -> [CatalogColumn] {
    let sql = """
      SELECT m.name, p.name, p.type, p."notnull", p.dflt_value, p.pk, p.hidden
      FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS p
      WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.rowid, p.cid
      """
    return try Row.fetchAll(db, sql: sql).map { CatalogColumn(table: $0[0], $0) }
  }

  static func columns(of table: String, _ db: Database) throws -> [CatalogColumn] {
    // Avoids the table-valued function, which takes ten times as long to compile.
    try Row.fetchAll(db, sql: "PRAGMA table_xinfo(\(SQLName.quote(table)))").map {
      CatalogColumn(table: table, $0)
    }
  }

  /// Returns the columns of a table. Like SQLite, ignores ASCII case in the name.
  func columns(of table: String) -> [CatalogColumn] {
    let name = SQLName.folded(table)
    return columns.filter { SQLName.folded($0.table) == name }
  }

  /// Whether a table or view has this name. Like SQLite, ignores ASCII case.
  func hasTable(_ name: String) -> Bool {
    let name = SQLName.folded(name)
    return items.contains {
      ($0.type == "table" || $0.type == "view") && SQLName.folded($0.name) == name
    }
  }

  private var indexNames: Set<String> {
    Set(items.lazy.filter { $0.type == "index" }.map(\.name))
  }

  /// Returns the schema without the dropped indexes of columns, which opening the file creates
  /// again.
  ///
  /// The indexes of collections are part of the ``HelperItems``.
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

extension CatalogColumn {
  /// Creates a column from a row of `PRAGMA table_xinfo`, without its first value.
  fileprivate init(table: String, _ row: Row) {
    self.init(
      table: table, name: row[1], type: row[2], notNull: row[3], defaultSQL: row[4],
      isPrimaryKey: (row[5] as Int) > 0, hidden: row[6])
  }
}
