import StrataStorage

extension MigrationContext {
  // MARK: Creating

  func create(_ className: String, value: Any) -> DynamicObject {
    guard status.canWork() else { return placeholder(className) }
    if let known = new.creations[className], let creation = known,
      let values = value as? [String: Any],
      let row = status.attempt({ try creation.create(values) }) ?? nil
    {
      notes.recordChange()
      return DynamicObject(creation.table, row: row)
    }
    guard let table = newTable(className) else {
      status.fail(ErrorText.notManaged(className))
      return placeholder(className)
    }
    guard !table.schema.isEmbedded || classes.physical[className]?.isEmbedded != true else {
      status.fail(
        "Embedded objects cannot be created directly: assign a dictionary, an array or an object to "
          + "the property of the parent. ('\(className)')")
      return placeholder(className)
    }
    let row = status.attempt {
      if let info = classes.discovered.classes[className], let values = value as? [String: Any],
        let row = try createPlain(table, info, values)
      {
        return row
      }
      return try MigrationCreator.create(className, value: value, copying: true, in: self)
    }
    notes.recordChange()
    guard let row else { return placeholder(className) }
    return DynamicObject(newTable(className) ?? table, row: row)
  }

  private func createPlain(
    _ table: MigrationTable, _ info: ClassInfo, _ values: [String: Any]
  ) throws -> Int64? {
    // An existing creation has already been tried.
    guard new.creations[info.className] == nil else { return nil }
    let made = try PlainCreation(table, info, self)
    new.creations[info.className] = .some(made)
    return try made?.create(values)
  }

  // MARK: Deleting

  func delete(_ object: DynamicObject) {
    guard object.object != nil || canUse(object) else { return }
    guard object.object == nil, object.table.isNew, object.table.context === self else {
      status.fail("Can only delete an object from the Realm it belongs to.")
      return
    }
    let table = object.table
    _ = status.attempt {
      try deleting(from: table.className) {
        try table.flushedRows(all: true).delete(object.rowID)
      }
    }
    recordDeleted(object.rowID, of: table.className)
    object.markDeleted()
  }

  func deleteData(_ className: String) -> Bool {
    guard status.canWork() else { return false }
    notes.recordCarried(
      classes.start[className]?.properties.map(\.columnName) ?? [], of: className)
    if let table = newTable(className) {
      _ = status.attempt { try deleteRows(of: table) }
      return true
    }
    guard let schema = classes.physical[className] else { return false }
    _ = status.attempt {
      // Embedded objects are deleted with their parents, and loops don't show them any more.
      try deleting(from: className) {
        try TableRows(
          db: new.flush(), table: SQLName.quote(className),
          identity: SQLName.quote(schema.identityColumn)
        ).deleteAll()
      }
      try new.run([.dropTable(className, in: classes.physical)])
    }
    classes.physical = classes.physical.removing(className)
    // A link that was removed with the class may have used the name of the identity column.
    for schema in classes.physical.objectSchema {
      renameIdentity(to: schema.identityColumn, in: schema.className)
    }
    return true
  }

  private func deleteRows(of table: MigrationTable) throws {
    try table.flushedRows(all: true).forEachIdentity { recordDeleted($0, of: table.className) }
    try deleting(from: table.className) { try table.flushedRows(all: true).deleteAll() }
    notes.recordChange()
  }
}

extension MigrationContext {
  /// Removes the values of properties that were removed in a version or earlier.
  func dropRetired(olderThan version: UInt64) {
    _ = status.attempt {
      try new.flushForOperations().dropRetired(from: classes.physical) { $0.since <= version }
    }
    touch(nil)
  }
}
