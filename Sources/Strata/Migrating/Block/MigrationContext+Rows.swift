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

  /// The identities of all rows, in order.
  func rows(of table: MigrationTable) -> [Int64] {
    status.attempt { try table.flushedRows().identities() } ?? []
  }

  /// Whether a row is in the file now.
  func exists(_ row: Int64, in table: MigrationTable) -> Bool {
    status.attempt { try table.flushedRows().contains(row) } ?? false
  }

  /// Whether the row of an object is there. To use one that the block has deleted by way of another
  /// instance is a mistake, which this notes.
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
    notes.noteChange()
    touch(table.className)
  }

  /// Inserts a row; what the class no longer has, and refuses NULL, has its type's zero.
  ///
  /// - Returns: Its identity.
  func insertRow(
    into table: MigrationTable, _ values: [TableRows.Value]
  ) throws(RealmError) -> Int64 {
    let leftovers = classes.leftovers(of: table.schema).map {
      ($0, _StoredElement(.zero(for: $0.type)))
    }
    do {
      if table.schema.primaryKey != nil { try suspendPrimaryKey(of: table.className) }
      let row = try table.flushedRows().insert(values + leftovers)
      // It took an identity that was to be given away.
      new.creations[table.className] = nil
      new.accounts.noteCreated(table.className)
      return row
    } catch {
      throw status.naming(error)
    }
  }

  /// Sets properties of a row.
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

  /// Duplicates are allowed until the block ends: the index of the key is removed, and created
  /// again after the block.
  func suspendPrimaryKey(of className: String) throws {
    guard var schema = classes.physical[className], let key = schema.primaryKey else { return }
    try new.waitForRunner().run([.dropPrimaryKey(table: className, column: key)])
    schema.primaryKey = nil
    classes.physical.update(schema)
  }

  // MARK: Deleting rows

  /// Deletes rows, with triggers that delete or change what refers to them.
  ///
  /// Foreign keys are off in a migration, and changes of tables remove the triggers.
  func deleting(from className: String, _ body: () throws -> Void) throws {
    let effect = classes.physical.effectOfDeleting(className)
    if !effect.classes.isEmpty || !effect.collections.isEmpty { try makeTriggers() }
    try body()
    noteUncertain(effect.classes)
  }

  /// Makes a change that removes embedded objects from their parents; triggers then delete them.
  func changeChildren(of className: String, _ change: () -> Void) {
    _ = status.attempt { try makeTriggers() }
    change()
    noteUncertain(classes.physical.effectOfDeleting(className).classes.union([className]))
  }

  private func makeTriggers() throws {
    guard !classes.hasTriggers else { return }
    try HelperItems.make(of: classes.physical, in: new.flush(), hasMoreToDo: true)
    classes.hasTriggers = true
  }
}
