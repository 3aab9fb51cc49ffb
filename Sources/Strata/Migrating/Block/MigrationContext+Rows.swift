import StrataStorage

extension MigrationContext {
  // MARK: Reading rows

  /// Reads the row of an object that is not the current one of a loop over its table.
  func fetchRow(_ object: DynamicObject) -> [_StoredElement]? {
    let table = object.table
    guard isThere(object) else { return nil }
    return status.attempt {
      try table.flushedRows().read(object.rowID, Array(table.slots.columns.joined())) { statement in
        table.properties.indices.map { table.element(statement, $0) }
      }
    } ?? nil
  }

  /// Returns the identities of all rows, in order.
  func rows(of table: MigrationTable) -> [Int64] {
    status.attempt { try table.flushedRows().identities() } ?? []
  }

  func exists(_ row: Int64, in table: MigrationTable) -> Bool {
    status.attempt { try table.flushedRows().contains(row) } ?? false
  }

  /// Returns whether the row of an object exists. Using an object that was deleted through another
  /// instance fails the migration.
  @discardableResult
  func isThere(_ object: DynamicObject) -> Bool {
    guard object.isGone else { return true }
    status.fail("\(ErrorText.deleted) ('\(object.table.className)')")
    return false
  }

  // MARK: Writing rows

  /// Writes a property of an object that is not the current one of a loop.
  func write(_ element: _StoredElement, _ slot: Int, of object: DynamicObject) {
    let table = object.table
    guard isThere(object) else { return }
    _ = status.attempt {
      if slot == table.primaryKeySlot { try suspendPrimaryKey(of: table.className) }
      try updateRow(object.rowID, of: table, [(table.properties[slot], element)])
    }
    notes.recordChange()
    touch(table.className)
  }

  /// Inserts a row. NOT NULL columns that aren't in the program any more get the zero of their
  /// type.
  func insertRow(
    into table: MigrationTable, _ values: [TableRows.Value]
  ) throws(RealmError) -> Int64 {
    let leftovers = classes.leftovers(of: table.schema).map {
      ($0, _StoredElement(.zero(for: $0.type)))
    }
    do {
      if table.schema.primaryKey != nil { try suspendPrimaryKey(of: table.className) }
      let row = try table.flushedRows().insert(values + leftovers)
      // The row may have used an identity that was reserved for created objects.
      new.creations[table.className] = nil
      new.accounts.recordCreated(table.className)
      return row
    } catch {
      throw status.naming(error)
    }
  }

  func updateRow(
    _ row: Int64, of table: MigrationTable, _ values: [TableRows.Value]
  ) throws(RealmError) {
    guard !values.isEmpty else { return }
    do {
      try table.flushedRows().update(row, values)
    } catch {
      throw status.naming(error)
    }
  }

  /// Allows duplicates until the block ends: drops the index of the key, which is created again
  /// after the block.
  func suspendPrimaryKey(of className: String) throws {
    guard var schema = classes.physical[className], let key = schema.primaryKey else { return }
    try new.waitForRunner().run([.dropPrimaryKey(table: className, column: key)])
    schema.primaryKey = nil
    classes.physical.update(schema)
  }

  // MARK: Deleting rows

  /// Deletes rows, with triggers that delete or change the rows that refer to them.
  ///
  /// Foreign keys are off in a migration, and table changes drop the triggers.
  func deleting(from className: String, _ body: () throws -> Void) throws {
    let effect = physicalWithRetired.effectOfDeleting(className)
    if !effect.classes.isEmpty || !effect.collections.isEmpty { try makeTriggers() }
    try body()
    recordUncertain(effect.classes)
  }

  /// Makes a change that removes embedded objects from their parents, so that triggers delete them.
  func changeChildren(of className: String, _ change: () -> Void) {
    _ = status.attempt { try makeTriggers() }
    change()
    recordUncertain(physicalWithRetired.effectOfDeleting(className).classes.union([className]))
  }

  /// The tables of the file now, with the retired properties, which triggers maintain as well.
  var physicalWithRetired: Schema { new.withRetired(classes.physical) }

  private func makeTriggers() throws {
    guard !classes.hasTriggers else { return }
    try HelperItems.make(of: physicalWithRetired, in: new.flush(), hasMoreToDo: true)
    classes.hasTriggers = true
  }
}
