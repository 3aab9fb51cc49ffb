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
      let assignments = table.columns[slot].map { "\($0) = ?" }.joined(separator: ", ")
      let statement = try table.db.cachedStatement(
        sql: "UPDATE \(table.name) SET \(assignments) WHERE \(table.identity) = ?")
      var index: Int32 = 1
      statement.bind(element, table.columns[slot].count, at: &index)
      statement.bindRaw(object.rowID, at: index)
      _ = try statement.stepRaw()
    }
    noteChange()
    touch(table.className)
  }

  /// Duplicates are fine until the block ends: the key's index goes, and is made again after it.
  func suspendPrimaryKey(of className: String) throws {
    guard var schema = physical[className], let key = schema.primaryKey else { return }
    try stepRunner.run([.dropPrimaryKey(table: className, column: key)])
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
