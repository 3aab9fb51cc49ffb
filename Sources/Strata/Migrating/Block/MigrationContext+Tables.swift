extension MigrationContext {
  // MARK: Tables

  /// The class before the migration; nil when the file had no table for it.
  ///
  /// - Parameter name: The name that it has now or, unless another class has that now, the one in
  ///   the file.
  func oldTable(_ name: String) -> MigrationTable? {
    oldTable(inFile: classes.fileNames[name] ?? name)
  }

  /// The class that the file calls so.
  func oldTable(inFile name: String) -> MigrationTable? {
    if let table = tables.old[name] { return table }
    guard let schema = classes.oldSchema[name] else { return nil }
    let table = MigrationTable(
      schema, className: classes.currentName(ofFileClass: name), identity: nil, isNew: false,
      context: self)
    tables.old[name] = table
    return table
  }

  /// The class as the program has it, ready to be written; nil for classes that are none of the
  /// program's.
  func newTable(_ name: String) -> MigrationTable? {
    if let table = tables.new[name] { return table }
    guard let schema = classes.newSchema[name] else { return nil }
    prepare(name)
    let identity = classes.physical[name]?.identityColumn
    let table = MigrationTable(schema, identity: identity, isNew: true, context: self)
    tables.new[name] = table
    return table
  }

  /// Gives a class the columns of the program, next to those it has.
  ///
  /// Only when the block comes to the class: a block that renames a property before anything else
  /// then renames a column, and no new one must be removed again, which would touch every row.
  func prepare(_ name: String) {
    guard let target = classes.newSchema[name], classes.prepared.insert(name).inserted else {
      return
    }
    _ = status.attempt {
      let before = classes.physical[name]
      let list = SchemaTranslator.operations(
        from: Schema(before.map { [$0] } ?? []), to: Schema([target]), phase: .beforeBlock,
        defaults: try classes.makeDefaults().value)
      try new.waitForRunner().run(list.operations)
      for schema in list.schema.objectSchema { classes.physical.update(schema) }
    }
  }

  /// Prepares a class again after its columns changed under it.
  ///
  /// The objects and the loops that the block has go on with the table they know.
  func prepareAgain(_ name: String) {
    if classes.prepared.remove(name) != nil { prepare(name) }
    if let schema = classes.physical[name] { renameIdentity(to: schema.identityColumn, in: name) }
  }

  /// Tells what goes through a class that its identity has another name.
  func renameIdentity(to name: String, in className: String) {
    tables.new[className]?.identity = SQLName.quote(name)
    new.renameIdentity(to: name, in: className)
  }
}
