import GRDB

extension MigrationContext {
  // MARK: Creating

  func create(_ className: String, value: Any) -> DynamicObject {
    guard canWork() else { return nowhere(className) }
    if let known = plainCreations[className], let creation = known,
      let values = value as? [String: Any],
      let row = attempt({ try creation.create(values) }) ?? nil
    {
      noteChange()
      return DynamicObject(creation.table, row: row)
    }
    guard let table = newTable(className), let info = discovered.classes[className] else {
      fail(ErrorText.notManaged(className))
      return nowhere(className)
    }
    guard !info.isEmbedded || physical[className]?.isEmbedded != true else {
      fail(
        "Embedded objects cannot be created directly: assign a dictionary, an array or an object to "
          + "the property of the parent. ('\(className)')")
      return nowhere(className)
    }
    let row = attempt {
      if let values = value as? [String: Any], let row = try createPlain(table, info, values) {
        return row
      }
      return try MigrationCreator.create(className, value: value, copying: true, in: self)
    }
    noteChange()
    guard let row else { return nowhere(className) }
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
  func leftovers(of info: ClassInfo) -> [Property] {
    (physical[info.className]?.properties ?? []).filter {
      $0.isStoredInColumn && !$0.isNullable && info.slot(column: $0.columnName) == nil
    }
  }

  /// Whether an object can be what a property links to, just as it is.
  @inline(__always)
  func isLinkable(_ object: DynamicObject, _ className: String) -> Bool {
    object.table.isNew && object.table.context === self && !object.isDeleted
      && !object.table.isEmbedded && object.table.className == className
  }

  /// An object for a caller that must get one after a mistake: it can't be read or written.
  func nowhere(_ className: String) -> DynamicObject {
    let table = MigrationTable(
      ObjectSchema(className: className, properties: []), identity: nil, isNew: true, context: self)
    let object = DynamicObject(table, row: 0)
    object.markDeleted()
    return object
  }

  // MARK: Triggers

  /// Deletes rows, with triggers that see to what refers to them.
  private func deleting(from className: String, _ body: () throws -> Void) throws {
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
    if let table = newTable(className) {
      _ = attempt { try deleteRows(of: table) }
      return true
    }
    guard physical[className] != nil else { return false }
    _ = attempt { try runner.run([.dropTable(className, in: physical)]) }
    physical = physical.removing(className)
    return true
  }

  private func deleteRows(of table: MigrationTable) throws {
    let rows = try new.cachedStatement(sql: "SELECT \(table.identity) FROM \(table.name)")
    while try rows.stepRaw() { noteDeleted(rows.int64(0), of: table.className) }
    try deleting(from: table.className) { try new.execute(sql: "DELETE FROM \(table.name)") }
    noteChange()
  }

  // MARK: Renaming

  func rename(_ className: String, from oldName: String, to newName: String) {
    guard canWork() else { return }
    _ = attempt { try renameNow(className, from: oldName, to: newName) }
    noteChange()
    touch(className)
  }

  private func renameNow(_ className: String, from oldName: String, to newName: String) throws {
    if physical[className] == nil { prepare(className) }
    guard var schema = physical[className] else {
      throw RealmError(
        .fail, "Cannot rename properties for type '\(className)' because it does not exist.")
    }
    guard let target = newSchema.stored[className] else {
      throw RealmError(
        .fail,
        "Cannot rename properties for type '\(className)' because it has been removed from the Realm."
      )
    }
    let start = "Cannot rename property '\(className).\(oldName)'"
    if target.property(column: oldName) != nil {
      throw RealmError(
        .fail, "\(start) to '\(newName)' because the source property still exists.")
    }
    if let gone = removed[className]?.first(where: { SQLName.same($0.columnName, oldName) }) {
      try restore(gone, in: &schema)
    }
    guard let from = schema.property(column: oldName) else {
      throw RealmError(.fail, "\(start) because it does not exist.")
    }
    let identity = schema.identityColumn
    if let to = target.property(column: newName) ?? schema.property(column: newName) {
      try check(from, to, "\(start) to '\(newName)' because it would change")
    }
    // What is there under the new name is an empty column that waits for values.
    if let present = schema.property(column: newName) {
      try runner.run(removal(of: present, from: &schema))
    }
    if let collection = CollectionTable(className: className, property: from) {
      try runner.run([.renameCollection(collection, to: collection.renamed(to: newName))])
    } else {
      try runner.run(leavingIndexes(of: from, in: &schema))
      var renamed = from
      renamed.columnName = newName
      let columns = zip(from.columns.map(\.name), renamed.columns.map(\.name))
      try runner.run(columns.map { .renameColumn(table: className, from: $0, to: $1) })
    }
    for index in schema.properties.indices where schema.properties[index].columnName == oldName {
      schema.properties[index].name = newName
      schema.properties[index].columnName = newName
    }
    if schema.identityColumn != identity {
      try runner.run(
        [.renameColumn(table: className, from: identity, to: schema.identityColumn)])
    }
    physical.update(schema)
    prepareAgain(className)
  }

  /// Brings a property back whose columns went with a loop: its values are in the old objects.
  private func restore(_ property: Property, in schema: inout ObjectSchema) throws {
    guard let table = oldTable(schema.className),
      let slot = table.properties.firstIndex(where: { $0.columnName == property.columnName })
    else { return }
    removed[schema.className]?.removeAll { $0.columnName == property.columnName }
    var property = property
    property.isIndexed = false
    try runner.run(
      [.addColumn(table: schema.className, property, .constant(.zero(for: property.type)))])
    schema.properties.append(property)
    physical.update(schema)
    let writer = writer(try changeFunctions(), schema, nil)
    let columns = property.columns.map { writer.changes.addColumn($0.name) }
    let rows = try old.makeStatement(sql: "\(table.select) ORDER BY \(table.identity)")
    var count = 0
    while try rows.stepRaw() {
      count += 1
      let element = table.element(rows.sqliteStatement, slot)
      writer.changes.set(columns[0], element.value)
      if columns.count > 1 {
        writer.changes.set(columns[1], element.type.map { .text($0) } ?? .null)
      }
      writer.changes.finish(rows.int64(0))
      if writer.changes.isFull { try writer.write(through: rows.int64(0), of: count) }
    }
    try writer.write(through: .max, of: count)
  }

  private func check(_ from: Property, _ to: Property, _ start: String) throws(RealmError) {
    guard from.typeName == to.typeName else {
      throw RealmError(.fail, "\(start) from type '\(from.typeName)' to '\(to.typeName)'.")
    }
    if from.isNullable, !to.isNullable {
      throw RealmError(.fail, "\(start) from optional to required.")
    }
  }

  /// The steps that remove the empty column which waits under the new name.
  private func removal(of property: Property, from schema: inout ObjectSchema) -> [MigrationStep] {
    if let collection = CollectionTable(className: schema.className, property: property) {
      schema.properties.removeAll { $0.columnName == property.columnName }
      return [.dropCollection(collection)]
    }
    let steps = leavingIndexes(of: property, in: &schema)
    schema.properties.removeAll { $0.columnName == property.columnName }
    return steps
      + property.columns.map { .dropColumn(table: schema.className, column: $0.name) }
  }

  /// Indexes are called after their columns, and follow the new definition: they are made again
  /// after the block.
  private func leavingIndexes(
    of property: Property, in schema: inout ObjectSchema
  ) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    if schema.primaryKey == property.columnName {
      steps.append(.dropPrimaryKey(table: schema.className, column: property.columnName))
      schema.primaryKey = nil
    }
    for index in schema.properties.indices
    where schema.properties[index].columnName == property.columnName
      && schema.properties[index].isIndexed
    {
      steps.append(.dropIndex(table: schema.className, column: property.columnName))
      schema.properties[index].isIndexed = false
    }
    return steps
  }
}
