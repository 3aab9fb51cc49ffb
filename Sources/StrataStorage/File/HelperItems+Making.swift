package import GRDB
package import StrataSchema

extension HelperItems {
  /// Makes the triggers of a schema, the indexes by which they find links, and full-text indexes.
  ///
  /// It does nothing where they are as they must be.
  /// - Parameters:
  ///   - schema: What is in the file at this moment.
  ///   - hasMoreToDo: Whether tables are still going to change, so that full-text indexes which
  ///     must be read again wait.
  /// - Returns: The items of the catalog, where nothing had to be done; else nil.
  @discardableResult
  package static func make(
    of schema: Schema, in db: Database, hasMoreToDo: Bool = false
  ) throws -> Catalog? {
    let present = try Catalog.readItems(db)
    let catalog = Catalog(
      items: present, columns: [], history: try Catalog.readHistory(db, present))
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
      // While a set was without its index a value was added twice.
      guard
        let table = schema.objectSchema.flatMap(\.collectionTables)
          .first(where: { SQLName.same($0.name, index.table) })
      else { throw error }
      try db.execute(sql: table.deleteDuplicates)
      try db.execute(sql: index.sql)
    }
  }

  /// Removes the triggers of this library. SQLite refuses to change what a trigger mentions.
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
