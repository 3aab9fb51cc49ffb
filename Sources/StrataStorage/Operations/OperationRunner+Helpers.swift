import GRDB
package import StrataSchema

extension OperationRunner {
  /// Removes the triggers of this library. SQLite refuses to change what a trigger mentions.
  func dropTriggers() throws {
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema
        WHERE type = 'trigger' AND lower(substr(name, 1, ?)) = ? ORDER BY name
        """, arguments: [TriggerSQL.prefix.utf8.count, TriggerSQL.prefix])
    for name in names { try db.execute(sql: "DROP TRIGGER \(SQLName.quote(name))") }
  }

  /// Makes the triggers of a schema, and the indexes by which they find links.
  ///
  /// It does nothing where they are as they must be.
  /// - Parameters:
  ///   - schema: What is in the file at this moment.
  ///   - hasMoreToDo: Whether tables are still going to change, so that full-text indexes which must be
  ///     read again wait.
  package func makeTriggers(of schema: Schema, hasMoreToDo: Bool = false) throws {
    let items = HelperItems(of: schema, in: try Catalog.read(db))
    defer { if items.changesTextTables { db.clearSchemaCache() } }
    if !items.missingTextTables.isEmpty, !hasMoreToDo { try TextSearchSupport.check(schema, db) }
    for name in items.wrongTriggers { try db.execute(sql: "DROP TRIGGER \(SQLName.quote(name))") }
    for name in items.wrongIndexes { try db.execute(sql: "DROP INDEX \(SQLName.quote(name))") }
    for index in items.missingIndexes { try make(index, schema) }
    for trigger in items.missingTriggers { try db.execute(sql: trigger.sql) }
    for name in items.wrongTextTables {
      try db.execute(sql: "DROP TABLE \(SQLName.quote(name))")
    }
    guard !hasMoreToDo else { return }
    for table in items.missingTextTables { try db.execute(sql: table.create) }
    for table in items.staleTextTables {
      for trigger in table.triggers {
        try db.execute(sql: "DROP TRIGGER IF EXISTS \(SQLName.quote(trigger.name))")
        try db.execute(sql: trigger.sql)
      }
      try db.execute(sql: table.rebuild)
    }
  }

  /// Removes the full-text index of a column, with its triggers.
  func dropTextIndex(_ table: String, _ column: String) throws {
    let index = TextTable(className: table, column: column, identity: "")
    for trigger in index.triggers {
      try db.execute(sql: "DROP TRIGGER IF EXISTS \(SQLName.quote(trigger.name))")
    }
    try db.execute(sql: "DROP TABLE IF EXISTS \(SQLName.quote(index.name))")
  }

  /// Makes links to objects that are gone nil, so that they are not taken for links that the
  /// migration breaks.
  ///
  /// Elements that go take what is embedded in them along, so the triggers must be there.
  package func clearDanglingLinks(of schema: Schema) throws {
    try makeTriggers(of: schema, hasMoreToDo: true)
    for sql in DanglingLinksSQL.statements(schema) { try db.execute(sql: sql) }
  }

  private func make(_ index: IndexDefinition, _ schema: Schema) throws {
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

  /// Removes the helper indexes of a column that is removed or renamed.
  func dropHelperIndexes(_ table: String, _ column: String) throws {
    let names = [
      IndexSQL.linkName(table: table, column: column), IndexSQL.name(table: table, column: column),
    ]
    for name in names {
      let columns = try String.fetchAll(
        db,
        sql: """
          SELECT i.name FROM sqlite_schema AS m JOIN pragma_index_info(m.name) AS i
          WHERE m.type = 'index' AND m.name = ? AND m.sql LIKE 'CREATE INDEX %'
          """, arguments: [name])
      guard columns.map(SQLName.folded) == [SQLName.folded(column)] else { continue }
      try db.execute(sql: "DROP INDEX \(SQLName.quote(name))")
    }
  }
}
