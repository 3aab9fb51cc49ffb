import GRDB
import StrataSchema

/// A reader of the disk space of tables and indexes.
struct SizeReader {
  let schema: StudioSchema
  let db: Database

  /// The tables and indexes, the largest first. The sizes are missing if SQLite was built without
  /// `dbstat`.
  func json() throws -> JSONValue {
    let bytes = try bytes()
    let items = try Row.fetchAll(
      db,
      sql: """
        SELECT name, type, tbl_name FROM sqlite_schema \
        WHERE type IN ('table', 'index') AND name NOT LIKE 'sqlite_stat%'
        """)
    let owners = owners()
    let rows = try items.map { item -> (size: Int, json: JSONValue) in
      let name: String = item[0]
      let table: String = item[2]
      let owner = owners[table] ?? textOwner(of: table, owners)
      let kind = (item[1] as String) == "index" ? "index" : owner?.kind ?? "other"
      let size = bytes?[name]
      let json: JSONValue = [
        "name": .text(name), "class": .optional(owner?.className) { .text($0) },
        "kind": .text(kind), "bytes": .optional(size) { .int($0) },
        "rows": kind == "table" || kind == "collection"
          ? .int(try db.count("SELECT count(*) FROM \(SQLName.quote(name))")) : .null,
      ]
      return (size ?? 0, json)
    }
    return .array(rows.sorted { $0.size > $1.size }.map(\.json))
  }

  private func bytes() throws -> [String: Int]? {
    let hasStatistics =
      try Int.fetchOne(db, sql: "SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'") != nil
    guard hasStatistics else { return nil }
    let rows = try Row.fetchAll(
      db, sql: "SELECT name, sum(pgsize) FROM dbstat GROUP BY name")
    return Dictionary(rows.map { ($0[0] as String, $0[1] as Int) }) { first, _ in first }
  }

  private func owners() -> [String: (className: String, kind: String)] {
    var owners: [String: (className: String, kind: String)] = [:]
    for object in schema.schema.objectSchema {
      owners[object.className] = (object.className, "table")
      for table in object.collectionTables {
        owners[table.name] = (object.className, "collection")
      }
    }
    return owners
  }

  /// The class of a full-text index. Its tables begin with the names of class and column.
  private func textOwner(
    of table: String, _ owners: [String: (className: String, kind: String)]
  ) -> (className: String, kind: String)? {
    for object in schema.schema.objectSchema {
      for property in object.properties where property.wantsTextIndex {
        let name = TextTable.name(className: object.className, column: property.columnName)
        if table == name || table.hasPrefix(name + "_") { return (object.className, "text") }
      }
    }
    return nil
  }
}
