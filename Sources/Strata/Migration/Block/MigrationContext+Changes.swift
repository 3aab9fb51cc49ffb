import GRDB

extension MigrationContext {
  // MARK: Creating

  func create(_ className: String, value: Any) -> DynamicObject {
    guard canWork() else { return placeholder(className) }
    if let known = plainCreations[className], let creation = known,
      let values = value as? [String: Any],
      let row = attempt({ try creation.create(values) }) ?? nil
    {
      noteChange()
      return DynamicObject(creation.table, row: row)
    }
    guard let table = newTable(className) else {
      fail(ErrorText.notManaged(className))
      return placeholder(className)
    }
    guard !table.schema.isEmbedded || physical[className]?.isEmbedded != true else {
      fail(
        "Embedded objects cannot be created directly: assign a dictionary, an array or an object to "
          + "the property of the parent. ('\(className)')")
      return placeholder(className)
    }
    let row = attempt {
      if let info = discovered.classes[className], let values = value as? [String: Any],
        let row = try createPlain(table, info, values)
      {
        return row
      }
      return try MigrationCreator.create(className, value: value, copying: true, in: self)
    }
    noteChange()
    guard let row else { return placeholder(className) }
    return DynamicObject(newTable(className) ?? table, row: row)
  }

  private func createPlain(
    _ table: MigrationTable, _ info: ClassInfo, _ values: [String: Any]
  ) throws -> Int64? {
    // Where there is one, it has been asked.
    guard plainCreations[info.className] == nil else { return nil }
    let made = try PlainCreation(table, info, self)
    plainCreations[info.className] = .some(made)
    return try made?.create(values)
  }

  /// What makes rows of a class that are written later; nil when there are no identities for them.
  func makeInserter(_ table: MigrationTable, columns: [String]) throws -> RowInserter? {
    try RowInserter(
      table.db, table: table.className,
      identity: physical[table.className]?.identityColumn ?? table.schema.identityColumn,
      columns: columns)
  }

  /// The properties of a class in the file that the program no longer has, and whose columns refuse
  /// NULL.
  func leftovers(of schema: ObjectSchema) -> [Property] {
    (physical[schema.className]?.properties ?? []).filter { property in
      // A collection of the same name is in a table of its own.
      property.isStoredInColumn && !property.isNullable
        && schema.storedColumn(property.columnName) == nil
    }
  }

  /// Whether an object can be what a property links to, just as it is.
  @inline(__always)
  func isLinkable(_ object: DynamicObject, _ className: String) -> Bool {
    object.table.isNew && object.table.context === self && !object.isDeleted
      && !object.table.isEmbedded && object.table.className == className
  }

  /// An object for a caller that must get one after a mistake: it can't be read or written.
  func placeholder(_ className: String) -> DynamicObject {
    let table = MigrationTable(
      ObjectSchema(className: className, properties: []), identity: nil, isNew: true, context: self)
    let object = DynamicObject(table, row: 0)
    object.markDeleted()
    return object
  }

  // MARK: Triggers

  /// Deletes rows, with triggers that see to what refers to them.
  func deleting(from className: String, _ body: () throws -> Void) throws {
    let effect = physical.effectOfDeleting(className)
    if !effect.classes.isEmpty || !effect.collections.isEmpty {
      try makeTriggers()
    }
    try body()
    noteUncertain(effect.classes)
  }

  // MARK: Deleting

  func delete(_ object: DynamicObject) {
    guard canUse(object) else { return }
    guard object.table.isNew, object.table.context === self else {
      fail("Can only delete an object from the Realm it belongs to.")
      return
    }
    let table = object.table
    _ = attempt {
      try deleting(from: table.className) {
        try new.runRaw("DELETE FROM \(table.name) WHERE \(table.identity) = ?", object.rowID)
      }
    }
    noteDeleted(object.rowID, of: table.className)
    object.markDeleted()
  }

  func deleteData(_ className: String) -> Bool {
    guard canWork() else { return false }
    noteCarried(start[className]?.properties.map(\.columnName) ?? [], of: className)
    if let table = newTable(className) {
      _ = attempt { try deleteRows(of: table) }
      return true
    }
    guard physical[className] != nil else { return false }
    _ = attempt {
      // What is embedded in the objects goes with them, and does not come in a loop any more.
      try deleting(from: className) {
        try new.execute(sql: "DELETE FROM \(SQLName.quote(className))")
      }
      try runner.run([.dropTable(className, in: physical)])
    }
    physical = physical.removing(className)
    // A link that went with the class may have been called as the identity is now.
    for schema in physical.objectSchema {
      identityIsCalled(schema.identityColumn, in: schema.className)
    }
    return true
  }

  private func deleteRows(of table: MigrationTable) throws {
    let rows = try new.cachedStatement(sql: "SELECT \(table.identity) FROM \(table.name)")
    while try rows.stepRaw() { noteDeleted(rows.int64(0), of: table.className) }
    try deleting(from: table.className) { try new.execute(sql: "DELETE FROM \(table.name)") }
    noteChange()
  }
}
