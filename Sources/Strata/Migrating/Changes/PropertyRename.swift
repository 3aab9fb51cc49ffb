import StrataStorage

/// The implementation of `renameProperty`: gives a property of the file the name of a property of
/// the program.
struct PropertyRename {
  let context: MigrationContext
  let className: String
  let oldName: String
  let newName: String

  func run() throws {
    defer {
      context.notes.recordCarried([oldName], of: className)
      context.notes.recordChange()
      context.touch(className)
    }
    try rename()
  }

  private func rename() throws {
    let classes = context.classes
    if classes.physical[className] == nil { context.prepare(className) }
    guard var schema = classes.physical[className] else {
      throw RealmError(
        .fail, "Cannot rename properties for type '\(className)' because it does not exist.")
    }
    guard let target = classes.newSchema.stored[className] else {
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
    if let gone = classes.removed[className]?.first(where: { SQLName.same($0.columnName, oldName) })
    {
      try restore(gone, in: &schema)
    }
    guard let from = schema.property(column: oldName) else {
      throw RealmError(.fail, "\(start) because it does not exist.")
    }
    let identity = schema.identityColumn
    let gone = classes.removed[className]?.first { SQLName.same($0.columnName, newName) }
    if let to = target.property(column: newName) ?? schema.property(column: newName) ?? gone {
      try check(from, to, "\(start) to '\(newName)' because it would change")
    }
    if let own = classes.start[className]?.property(column: newName) {
      context.notes.replaced.append(PossibleLoss(className: className, property: own))
    }
    // A column with the new name is empty and waits for values, or it is the file's own.
    if let present = schema.property(column: newName) {
      try context.new.run(removal(of: present, from: &schema))
    }
    // The identity column may have the new name so far.
    let takesIdentity = SQLName.collide(newName, identity)
    let tableName = from.collection == nil ? nil : target.property(column: newName)?.tableName
    let renamed = schema.renaming(from, to: newName, tableName: tableName)
    if takesIdentity { try renameIdentity(from: identity, to: renamed.identityColumn) }
    if let collection = CollectionTable(className: className, property: from) {
      let renamed = collection.renamed(to: newName, tableName: tableName)
      try context.new.run([.renameCollection(collection, to: renamed)])
    } else {
      try context.new.run(leavingIndexes(of: from, in: &schema))
      var property = from
      property.columnName = newName
      let columns = zip(from.columns.map(\.name), property.columns.map(\.name))
      try context.new.run(columns.map { .renameColumn(table: className, from: $0, to: $1) })
    }
    schema = renamed
    if !takesIdentity { try renameIdentity(from: identity, to: schema.identityColumn) }
    classes.physical.update(schema)
    context.prepareAgain(className)
  }

  private func renameIdentity(from old: String, to new: String) throws {
    guard old != new else { return }
    try context.new.run([
      .renameColumn(table: className, from: old, to: new)
    ])
  }

  /// Restores a property whose columns a loop has dropped, with the values of the old objects.
  private func restore(_ property: Property, in schema: inout ObjectSchema) throws {
    let classes = context.classes
    guard let table = context.oldTable(className),
      let slot = table.properties.firstIndex(where: { $0.columnName == property.columnName })
    else { return }
    classes.removed[className]?.removeAll { $0.columnName == property.columnName }
    var property = property
    property.wantsIndex = false
    let identity = schema.identityColumn
    schema.properties.append(property)
    try renameIdentity(from: identity, to: schema.identityColumn)
    try context.new.run(
      [.addColumn(table: className, property, .constant(.zero(for: property.type)))])
    classes.physical.update(schema)
    try copy(property, from: table, slot, to: schema)
  }

  private func copy(
    _ property: Property, from table: MigrationTable, _ slot: Int, to schema: ObjectSchema
  ) throws {
    let writer = context.new.makeWriter(schema, nil)
    let columns = property.columns.map { writer.changes.addColumn($0.name) }
    let rows = try table.makeReader(only: slot)
    var count = 0
    while try rows.next() {
      count += 1
      // The only column follows the identity, and is read in each row.
      let element = table.element(rows.pointer, slot, at: rows.position(0) ?? 1)
      writer.changes.set(columns[0], element.value)
      if columns.count > 1 {
        writer.changes.set(columns[1], element.type.map { .text($0) } ?? .null)
      }
      writer.changes.finish(rows.row)
      if writer.changes.isFull { try writer.write(through: rows.row, of: count) }
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

  /// Returns the operations that drop the column with the new name.
  private func removal(of property: Property, from schema: inout ObjectSchema) -> [TableOperation] {
    if let collection = CollectionTable(className: schema.className, property: property) {
      schema.remove(property)
      return [.dropCollection(collection)]
    }
    let operations = leavingIndexes(of: property, in: &schema)
    schema.remove(property)
    return operations
      + property.columns.map { .dropColumn(table: schema.className, column: $0.name) }
  }

  /// Returns the operations that drop the indexes of a property. Index names contain the column
  /// names, and the indexes follow the new definition. They are created again after the block.
  private func leavingIndexes(
    of property: Property, in schema: inout ObjectSchema
  ) -> [TableOperation] {
    var operations: [TableOperation] = []
    if schema.primaryKey == property.columnName {
      operations.append(.dropPrimaryKey(table: schema.className, column: property.columnName))
      schema.primaryKey = nil
    }
    for index in schema.properties.indices
    where schema.properties[index].columnName == property.columnName
      && schema.properties[index].wantsIndex
    {
      operations.append(.dropIndex(table: schema.className, columns: [property.columnName]))
      schema.properties[index].wantsIndex = false
    }
    for columns in schema.compoundIndexes(with: property.columnName) {
      operations.append(.dropIndex(table: schema.className, columns: columns))
    }
    schema.removeCompoundIndexes(with: property.columnName)
    return operations
  }
}

extension ObjectSchema {
  /// Returns the class with another name for a column or a collection. While the block runs, a
  /// class may have a column and a collection with the same name.
  fileprivate func renaming(
    _ property: Property, to name: String, tableName: String?
  ) -> ObjectSchema {
    var result = self
    for index in properties.indices where properties[index].isSame(as: property) {
      result.properties[index].name = name
      result.properties[index].columnName = name
      result.properties[index].tableName = tableName
    }
    return result
  }

  fileprivate mutating func remove(_ property: Property) {
    properties.removeAll { $0.isSame(as: property) }
  }
}

extension Property {
  fileprivate func isSame(as other: Property) -> Bool {
    columnName == other.columnName && isStoredInColumn == other.isStoredInColumn
  }
}

/// The implementation of `renameClass`: gives a class of the file the name of a class of the
/// program.
struct ClassRename {
  let context: MigrationContext
  let old: String
  let new: String

  private var classes: BlockClasses { context.classes }

  func run() throws {
    try check()
    try keepTablesApart()
    try context.new.run([.renameTable(old, to: new, in: classes.physical)])
    let fileName = classes.rename(old, to: new)
    context.tables.old[fileName]?.className = new
    context.notes.recordChange()
    context.touch(nil)
  }

  /// Renames the tables of collections whose usual names, which contain the class name, would be
  /// taken.
  private func keepTablesApart() throws {
    let renamed = classes.physical.collectionsWithoutUsualName(
      of: old, renamedTo: new, as: classes.newSchema[new])
    for (from, to) in renamed {
      try context.new.run([.renameCollection(from, to: to)])
      classes.physical.name(table: to.name, of: from.property.columnName, in: old)
    }
  }

  private func check() throws(RealmError) {
    func refusal(_ reason: String) -> RealmError {
      RealmError(.fail, "Cannot rename class '\(old)' to '\(new)' because \(reason)")
    }
    guard classes.start[old] != nil else {
      throw refusal(
        "the file has no class '\(old)'. It has: \(BlockClasses.names(classes.start)).")
    }
    guard classes.physical[old] != nil else {
      throw refusal("the block has deleted '\(old)'. Leave out 'deleteData', or the rename.")
    }
    guard classes.newSchema[new] != nil else {
      throw refusal(
        "'\(new)' is not a class of the program. It has: \(BlockClasses.names(classes.newSchema)).")
    }
    guard classes.start[new] == nil else {
      throw refusal(
        "the file already has a class '\(new)'. Rename that one first, or carry the objects over "
          + "with 'enumerateObjects' and 'create'. Two classes that exchange their names keep those "
          + "of the file: override '_realmObjectName()' in both.")
    }
    let concerned = classes.start.classesLinking(to: old)
      .union(classes.newSchema.classesLinking(to: new)).union([old, new])
    let used = concerned.sorted().first {
      classes.prepared.contains($0) || context.new.isLooping(over: $0)
    }
    if let used {
      throw refusal(
        "the block has used '\(used)' before. Call 'renameClass' before anything else that concerns "
          + "the class, or those that link to it.")
    }
  }
}
