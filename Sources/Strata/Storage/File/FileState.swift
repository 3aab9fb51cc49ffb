import Foundation
import GRDB

/// What a file says of itself: the version it is at, the schema of that version, and its catalog.
struct FileState {
  /// Nil for a file that was never given a schema: an empty one, or another library's.
  var version: UInt64?
  /// The schema at that version, with the tables of classes that were removed since.
  var schema: Schema
  /// The same as text, for comparing without decoding.
  var schemaJSON: String
  var catalog: Catalog

  /// The state of a file that is not there.
  static let missing = FileState(
    version: nil, schema: Schema([]), schemaJSON: "", catalog: Catalog(items: [], columns: []))

  /// Reads the state inside of one transaction.
  ///
  /// - Throws: ``RealmError`` with code `invalidDatabase` when version table and catalog don't fit.
  static func read(_ db: Database, at url: URL) throws -> FileState {
    if db.isInsideTransaction { return try readInTransaction(db, at: url) }
    var state: FileState?
    try db.inTransaction(.deferred) {
      state = try readInTransaction(db, at: url)
      return .commit
    }
    guard let state else { throw RealmError(.fileAccess, "The file can't be read.", fileURL: url) }
    return state
  }

  private static func readInTransaction(_ db: Database, at url: URL) throws -> FileState {
    let catalog = try Catalog.read(db)
    guard catalog.hasTable(VersionTable.name), let current = try VersionTable.current(db, at: url)
    else {
      return FileState(version: nil, schema: Schema([]), schemaJSON: "", catalog: catalog)
    }
    let schema = try VersionTable.decode(current.schema, at: url)
    let problems =
      CatalogCheck.problems(stored: schema, columns: catalog.columns)
      + catalog.missingPrimaryKeys(of: schema)
    guard problems.isEmpty else {
      throw RealmError(
        .invalidDatabase,
        "Realm file at path '\(url.path)' has been changed by another program:"
          + problems.map { "\n- \($0)" }.joined()
          + "\nRestore what is missing, or restore the file from a backup.", fileURL: url)
    }
    return FileState(
      version: current.version, schema: catalog.withPresentIndexes(schema),
      schemaJSON: current.schema, catalog: catalog)
  }
}

/// The tables, columns and indexes of a file, whoever made them.
struct Catalog {
  struct Item {
    let type: String
    let name: String
    let table: String
    let sql: String?
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

  /// Whether a table or view has that name, which SQLite compares without regard to ASCII case.
  func hasTable(_ name: String) -> Bool {
    let name = name.lowercased()
    return items.contains {
      ($0.type == "table" || $0.type == "view") && $0.name.lowercased() == name
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
        guard property.isIndexed, object.primaryKey != property.name else { continue }
        let name = IndexSQL.name(table: object.className, column: property.columnName)
        if !present.contains(name) { object.properties[index].isIndexed = false }
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
