package import GRDB
package import StrataSchema

/// The triggers and the permanent indexes of a schema, compared with the items in a file.
package struct HelperItems {
  private(set) var missingTriggers: [Trigger] = []
  /// Names of triggers that the schema doesn't have, or has with another definition.
  private(set) var wrongTriggers: [String] = []
  private(set) var missingIndexes: [IndexDefinition] = []
  /// Names of indexes that have another definition.
  private(set) var wrongIndexes: [String] = []
  /// Full-text indexes that are missing, or have another definition.
  private(set) var missingTextTables: [TextTable] = []
  /// Names of full-text indexes that the schema doesn't have, or has with another definition.
  private(set) var wrongTextTables: [String] = []
  /// Full-text indexes that may be outdated, because a trigger or the table is missing or changed.
  /// All texts must be read again.
  private(set) var staleTextTables: [TextTable] = []

  package init(of schema: Schema, in catalog: Catalog) {
    var triggers: [String: String] = [:]
    var indexes: [String: String] = [:]
    for item in catalog.items {
      if item.isOwnTrigger { triggers[item.name] = item.sql ?? "" }
      if item.type == "index" { indexes[item.name] = item.sql ?? "" }
    }
    let notes = catalog.history.map { HistoryTriggers.all(of: schema, $0) } ?? []
    for trigger in TriggerSQL.all(of: schema) + notes {
      guard triggers[trigger.name] != trigger.sql else {
        triggers[trigger.name] = nil
        continue
      }
      missingTriggers.append(trigger)
    }
    compareTextTables(of: schema, with: catalog, &triggers)
    wrongTriggers = triggers.keys.sorted()
    for index in schema.objectSchema.flatMap(IndexSQL.helpers) {
      let present = indexes[index.name]
      guard present != index.sql else { continue }
      missingIndexes.append(index)
      if present != nil { wrongIndexes.append(index.name) }
    }
  }

  /// - Parameter triggers: The file's triggers that haven't been matched yet.
  private mutating func compareTextTables(
    of schema: Schema, with catalog: Catalog, _ triggers: inout [String: String]
  ) {
    var present: [String: String] = [:]
    for item in catalog.items where item.type == "table" {
      let sql = item.sql ?? ""
      if TextTable.isOwn(table: item.name, sql: sql) { present[item.name] = sql }
    }
    for table in schema.textTables {
      let isThere = present[table.name] == table.create
      if isThere { present[table.name] = nil } else { missingTextTables.append(table) }
      let isKept = table.triggers.allSatisfy { triggers[$0.name] == $0.sql }
      if !isThere || !isKept { staleTextTables.append(table) }
      for trigger in table.triggers where isThere && triggers[trigger.name] == trigger.sql {
        triggers[trigger.name] = nil
      }
    }
    wrongTextTables = present.keys.sorted()
  }

  /// Whether tables are created or dropped.
  var changesTextTables: Bool { !wrongTextTables.isEmpty || !missingTextTables.isEmpty }

  package var areRight: Bool {
    missingTriggers.isEmpty && wrongTriggers.isEmpty && missingIndexes.isEmpty
      && staleTextTables.isEmpty && wrongTextTables.isEmpty
  }
}

extension HelperItems {
  /// Creates the triggers of a schema, the indexes by which they find links, and full-text indexes.
  ///
  /// Does nothing if they are all correct.
  /// - Parameter hasMoreToDo: Whether tables are still going to change. Outdated full-text indexes
  ///   are then left for a later call.
  /// - Returns: The items of the catalog if nothing had to be done, otherwise nil.
  @discardableResult
  package static func make(
    of schema: Schema, in db: Database, hasMoreToDo: Bool = false
  ) throws -> Catalog? {
    let catalog = try Catalog.readWithoutColumns(db)
    let items = HelperItems(of: schema, in: catalog)
    if items.areRight { return catalog }
    defer { if items.changesTextTables { db.clearSchemaCache() } }
    if !items.missingTextTables.isEmpty, !hasMoreToDo { try TextSearchSupport.check(schema, db) }
    for name in items.wrongTriggers { try db.execute(sql: "DROP TRIGGER \(SQLName.quote(name))") }
    for name in items.wrongIndexes { try db.execute(sql: "DROP INDEX \(SQLName.quote(name))") }
    for index in items.missingIndexes { try make(index, schema, db) }
    for trigger in items.missingTriggers { try db.execute(sql: trigger.sql) }
    for name in items.wrongTextTables {
      try db.execute(sql: "DROP TABLE \(SQLName.quote(name))")
    }
    guard !hasMoreToDo else { return nil }
    for table in items.missingTextTables { try db.execute(sql: table.create) }
    for table in items.staleTextTables {
      for trigger in table.triggers {
        try db.execute(sql: "DROP TRIGGER IF EXISTS \(SQLName.quote(trigger.name))")
        try db.execute(sql: trigger.sql)
      }
      try db.execute(sql: table.rebuild)
    }
    return nil
  }

  private static func make(_ index: IndexDefinition, _ schema: Schema, _ db: Database) throws {
    do {
      try db.execute(sql: index.sql)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      // While a set was without its index, a value was added twice.
      guard
        let table = schema.objectSchema.flatMap(\.collectionTables)
          .first(where: { SQLName.same($0.name, index.table) })
      else { throw error }
      try db.execute(sql: table.deleteDuplicates)
      try db.execute(sql: index.sql)
    }
  }

  /// Removes the triggers of this library. SQLite refuses to change tables that a trigger mentions.
  static func dropTriggers(in db: Database) throws {
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema
        WHERE type = 'trigger' AND lower(substr(name, 1, ?)) = ? ORDER BY name
        """, arguments: [TriggerSQL.prefix.utf8.count, TriggerSQL.prefix])
    for name in names { try db.execute(sql: "DROP TRIGGER \(SQLName.quote(name))") }
  }
}
