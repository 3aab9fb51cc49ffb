extension MigrationContext {
  // MARK: Tables

  /// The class before the migration; nil when the file had no table for it.
  ///
  /// - Parameter name: The name that it has now or, unless another class has that now, the one in
  ///   the file.
  func oldTable(_ name: String) -> MigrationTable? { oldTable(inFile: fileNames[name] ?? name) }

  /// The class that the file calls so.
  func oldTable(inFile name: String) -> MigrationTable? {
    if let table = oldTables[name] { return table }
    guard let schema = oldSchema[name] else { return nil }
    let table = MigrationTable(
      schema, className: currentName(ofFileClass: name), identity: nil, isNew: false, context: self)
    oldTables[name] = table
    return table
  }

  /// The class as the program has it, ready to be written; nil for classes that are none of the
  /// program's.
  func newTable(_ name: String) -> MigrationTable? {
    if let table = newTables[name] { return table }
    guard let schema = newSchema[name] else { return nil }
    prepare(name)
    let identity = physical[name]?.identityColumn
    let table = MigrationTable(schema, identity: identity, isNew: true, context: self)
    newTables[name] = table
    return table
  }

  /// Gives a class the columns of the program, next to those it has.
  ///
  /// Only when the block comes to the class: a block that renames a property before anything else
  /// then renames a column, and no new one must be removed again, which would touch every row.
  func prepare(_ name: String) {
    guard let target = newSchema[name], prepared.insert(name).inserted else { return }
    _ = attempt {
      let before = physical[name]
      let plan = SchemaTranslator.operations(
        from: Schema(before.map { [$0] } ?? []), to: Schema([target]), phase: .beforeBlock,
        defaults: try modelDefaults().value)
      try operationRunner.run(plan.operations)
      for schema in plan.schema.objectSchema { physical.update(schema) }
    }
  }

  /// Prepares a class again after its columns changed under it.
  ///
  /// The objects and the loops that the block has go on with the table they know.
  func prepareAgain(_ name: String) {
    if prepared.remove(name) != nil { prepare(name) }
    if let schema = physical[name] { identityIsCalled(schema.identityColumn, in: name) }
  }

  // MARK: Loops

  /// A loop over a class that the file had.
  ///
  /// Where the table must be made anew for the program's columns, the loop does it on its way: each
  /// row is written once, as what it becomes.
  func loop(over old: MigrationTable) -> MigrationLoop? {
    let name = old.className
    return attempt {
      let started = try startRebuild(name)
      guard let new = newTable(name), let schema = physical[name] else {
        return MigrationLoop(self, old: old, new: nil, nil, nil, showsOldRows: false)
      }
      let writer = writer(try changeFunctions(), schema, started?.rebuilder)
      return MigrationLoop(
        self, old: old, new: new, writer, started?.running,
        showsOldRows: !isTouched(name) && !isLooping(over: name))
    }
  }

  /// Tells that a loop over the old rows of a table begins.
  func beginRows(of table: MigrationTable) throws {
    try operationRunner.monitor?.begin(
      table.className, identity: table.schema.identityColumn, isCopied: false, old)
  }

  /// Calls a closure for each object of a class that the file did not have: those that were created
  /// before this call.
  func enumerate(_ table: MigrationTable, _ body: MigrationLoop.Body) rethrows {
    for row in rows(of: table) {
      guard isSound else { return }
      if isDeleted(row, of: table.className) { continue }
      operationRunner.noteRows(1)
      try body(nil, DynamicObject(table, row: row))
    }
  }

  private func startRebuild(
    _ name: String
  ) throws -> (rebuilder: TableRebuilder, running: RunningRebuild)? {
    guard let target = newSchema[name], let before = physical[name], !prepared.contains(name) else {
      return nil
    }
    let plan = SchemaTranslator.operations(
      from: Schema([before]), to: Schema([target]), phase: .duringLoop,
      defaults: try modelDefaults().value)
    guard let index = plan.operations.firstIndex(where: \.isRebuild),
      case .rebuildTable(let rebuild) = plan.operations[index]
    else { return nil }
    let gone = Self.properties(of: before, without: rebuild.target)
    // Defaults that differ from row to row must be there before the block sees the rows; and what
    // the block deletes must still be found by links that lead to it.
    guard !plan.operations.contains(where: \.isFilling),
      !gone.contains(where: { $0.type == .object || $0.type == .any })
    else { return nil }
    try operationRunner.run(Array(plan.operations[..<index]))
    let started = try operationRunner.startRebuild(rebuild)
    prepared.insert(name)
    for schema in plan.schema.objectSchema { physical.update(schema) }
    removed[name] = gone
    return (
      started.rebuilder,
      RunningRebuild(
        rebuild: rebuild, number: started.number,
        nextOperations: Array(plan.operations[(index + 1)...]))
    )
  }

  /// The properties whose columns another schema of the table doesn't have.
  static func properties(
    of schema: ObjectSchema, without other: ObjectSchema
  ) -> [Property] {
    let columns = Set(other.properties.flatMap(\.columns).map { SQLName.folded($0.name) })
    return schema.properties.filter { property in
      property.isStoredInColumn
        && property.columns.allSatisfy { !columns.contains(SQLName.folded($0.name)) }
    }
  }

  /// Ends a rebuild that a loop has fed with rows.
  func finish(_ running: RunningRebuild, _ body: () throws -> Void) throws {
    try operationRunner.finish(running.rebuild, number: running.number, body)
    try operationRunner.run(running.nextOperations)
  }
}

extension TableOperation {
  fileprivate var isRebuild: Bool {
    if case .rebuildTable = self { true } else { false }
  }

  var isFilling: Bool {
    if case .fillColumns = self { true } else { false }
  }
}
