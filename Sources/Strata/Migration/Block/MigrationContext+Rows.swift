import GRDB

extension MigrationContext {
  // MARK: Reading rows

  /// Reads the row of an object that is not the current one of a loop over its table.
  func fetchRow(_ object: DynamicObject) -> [_StoredElement]? {
    let table = object.table
    return attempt {
      let statement = try table.db.cachedStatement(
        sql: "\(table.select) WHERE \(table.identity) = ?")
      statement.bindRaw(object.rowID, at: 1)
      guard try statement.stepRaw() else { return nil }
      defer { statement.resetRaw() }
      return table.properties.indices.map { table.element(statement.sqliteStatement, $0) }
    } ?? nil
  }

  /// The identities of all rows, in order.
  func rows(of table: MigrationTable) -> [Int64] {
    attempt {
      try Int64.fetchAll(
        table.db, sql: "SELECT \(table.identity) FROM \(table.name) ORDER BY \(table.identity)")
    } ?? []
  }

  /// Whether a row is in the file now.
  func exists(_ row: Int64, in table: MigrationTable) -> Bool {
    attempt {
      let statement = try table.db.cachedStatement(
        sql: "SELECT 1 FROM \(table.name) WHERE \(table.identity) = ?")
      statement.bindRaw(row, at: 1)
      defer { statement.resetRaw() }
      return try statement.stepRaw()
    } ?? false
  }

  // MARK: Writing rows

  /// Writes a property of an object that is not the current one of a loop.
  func write(_ element: _StoredElement, _ slot: Int, of object: DynamicObject) {
    let table = object.table
    _ = attempt {
      if slot == table.primaryKeySlot { try suspendPrimaryKey(of: table.className) }
      try updateRow(object.rowID, of: table, [(table.properties[slot], element)])
    }
    noteChange()
    touch(table.className)
  }

  /// Makes a row; what the class no longer has, and refuses NULL, has its type's zero.
  ///
  /// - Returns: Its identity.
  func insertRow(
    into table: MigrationTable, _ values: [(property: Property, element: _StoredElement)]
  ) throws(RealmError) -> Int64 {
    let leftovers = leftovers(of: table.schema).map { ($0, _StoredElement(.zero(for: $0.type))) }
    let values = values + leftovers
    // SQLite chooses the identity; a class may have nothing but collections.
    let columns =
      [table.identity]
      + values.flatMap(\.property.columns).map { SQLName.quote($0.name) }
    let parameters = (["NULL"] + columns.dropFirst().map { _ in "?" }).joined(separator: ", ")
    do {
      if table.schema.primaryKey != nil { try suspendPrimaryKey(of: table.className) }
      let db = table.db
      let statement = try db.cachedStatement(
        sql: """
          INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES (\(parameters))
          """)
      var index: Int32 = 1
      for (property, element) in values {
        try statement.bind(element, property.columns.count, at: &index)
      }
      _ = try statement.stepRaw()
      // It took an identity that was to be given away.
      plainCreations[table.className] = nil
      operationRunner.accounts.noteCreated(table.className)
      return db.lastInsertedRowID
    } catch {
      throw naming(error)
    }
  }

  /// Sets properties of a row.
  func updateRow(
    _ row: Int64, of table: MigrationTable,
    _ values: [(property: Property, element: _StoredElement)]
  ) throws(RealmError) {
    guard !values.isEmpty else { return }
    let columns = values.flatMap(\.property.columns).map { "\(SQLName.quote($0.name)) = ?" }
    do {
      let statement = try table.db.cachedStatement(
        sql: """
          UPDATE \(table.name) SET \(columns.joined(separator: ", ")) WHERE \(table.identity) = ?
          """)
      var index: Int32 = 1
      for (property, element) in values {
        try statement.bind(element, property.columns.count, at: &index)
      }
      statement.bindRaw(row, at: index)
      _ = try statement.stepRaw()
    } catch {
      throw naming(error)
    }
  }

  /// Duplicates are fine until the block ends: the key's index goes, and is made again after it.
  func suspendPrimaryKey(of className: String) throws {
    guard var schema = physical[className], let key = schema.primaryKey else { return }
    try operationRunner.run([.dropPrimaryKey(table: className, column: key)])
    schema.primaryKey = nil
    physical.update(schema)
  }

  /// Makes the triggers that see to links and embedded objects when rows are deleted. Foreign keys
  /// are off in a migration, and changes of tables remove the triggers.
  func makeTriggers() throws {
    guard !hasTriggers else { return }
    try runner.makeTriggers(of: physical)
    hasTriggers = true
  }
}
