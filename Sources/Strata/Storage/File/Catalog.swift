import GRDB

/// The tables, columns and indexes of a file, whoever made them.
struct Catalog {
  struct Item {
    let type: String
    let name: String
    let table: String
    let sql: String?

    /// Whether it is a trigger of this library.
    var isOwnTrigger: Bool {
      type == "trigger" && SQLName.folded(name).hasPrefix(TriggerSQL.prefix)
    }
  }

  var items: [Item]
  var columns: [CatalogColumn]

  static func read(_ db: Database) throws -> Catalog {
    let items = try Row.fetchAll(
      db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"
    ).map { Item(type: $0[0], name: $0[1], table: $0[2], sql: $0[3]) }
    // Without virtual tables, which have no root page: asking for the columns of one fails when its
    // module isn't there.
    let columns = try Row.fetchAll(
      db,
      sql: """
        SELECT m.name, p.name, p.type, p."notnull", p.dflt_value, p.pk, p.hidden
        FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS p
        WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.rowid, p.cid
        """
    ).map {
      CatalogColumn(
        table: $0[0], name: $0[1], type: $0[2], notNull: $0[3], defaultSQL: $0[4],
        isPrimaryKey: ($0[5] as Int) > 0, hidden: $0[6])
    }
    return Catalog(items: items, columns: columns)
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

  func hasIndex(_ name: String) -> Bool {
    items.contains { $0.type == "index" && $0.name == name }
  }

  /// A schema without the indexes that somebody dropped; opening the file makes them anew.
  func withPresentIndexes(_ schema: Schema) -> Schema {
    let present = Set(items.lazy.filter { $0.type == "index" }.map(\.name))
    var result: [ObjectSchema] = []
    for var object in schema.objectSchema {
      for index in object.properties.indices {
        let property = object.properties[index]
        guard property.wantsIndex, object.primaryKey != property.name else { continue }
        let name = IndexSQL.name(table: object.className, column: property.columnName)
        if !present.contains(name) { object.properties[index].wantsIndex = false }
      }
      result.append(object)
    }
    return Schema(result)
  }

  func missingPrimaryKeys(of schema: Schema) -> [String] {
    schema.objectSchema.compactMap { object in
      guard let key = object.primaryKeyProperty else { return nil }
      let name = IndexSQL.name(table: object.className, column: key.columnName)
      return hasIndex(name)
        ? nil : "The unique index '\(name)' of the primary key is missing."
    }
  }
}
