import StrataStorage

extension MigrationContext {
  /// A loop over a class that the file had.
  ///
  /// Where the table must be rebuilt for the program's columns, the loop does it on its way: each
  /// row is written once, as what it becomes.
  ///
  /// - Parameter query: Which of the old rows it goes through; nil for all of them.
  func loop(over old: MigrationTable, finding query: QuerySQL? = nil) -> MigrationLoop? {
    let name = old.className
    return status.attempt {
      let rebuild = try startRebuild(name)
      guard let new = newTable(name), let schema = classes.physical[name] else {
        return MigrationLoop(old: old, new: nil, finding: query, nil, nil, showsOldRows: false)
      }
      let writer = try self.new.makeWriter(schema, rebuild?.started.rebuilder)
      return MigrationLoop(
        old: old, new: new, finding: query, writer, rebuild,
        showsOldRows: !notes.isTouched(name) && !self.new.isLooping(over: name))
    }
  }

  /// Tells that a loop over the old rows of a table begins.
  func beginRows(of table: MigrationTable) throws {
    try new.monitor?.begin(
      table.className, identity: table.schema.identityColumn, isCopied: false, old)
  }

  /// Calls a closure for each object of a class that the file did not have: those that were created
  /// before this call.
  func enumerate(_ table: MigrationTable, _ body: MigrationLoop.Body) rethrows {
    for row in rows(of: table) {
      guard status.isSound else { return }
      if isDeleted(row, of: table.className) { continue }
      new.noteRows(1)
      try body(nil, DynamicObject(table, row: row))
    }
  }

  /// A loop begins.
  func enter(_ loop: MigrationLoop) {
    new.enter(loop)
    notes.touch(loop.className)
  }

  /// A loop has come to its end.
  func leave(_ loop: MigrationLoop, rows: Int) {
    new.leaveLoop()
    new.noteRows(rows)
    touch(loop.className)
  }

  private func startRebuild(_ name: String) throws -> RunningRebuild? {
    guard let target = classes.newSchema[name], let before = classes.physical[name],
      !classes.prepared.contains(name)
    else { return nil }
    let list = SchemaTranslator.operations(
      from: Schema([before]), to: Schema([target]), phase: .duringLoop,
      defaults: try classes.makeDefaults().value)
    guard let pass = list.onePassRebuild(of: before) else { return nil }
    let runner = new.waitForRunner()
    try runner.run(pass.operationsBefore)
    let started = try runner.start(pass.rebuild)
    classes.prepared.insert(name)
    for schema in list.schema.objectSchema { classes.physical.update(schema) }
    classes.removed[name] = pass.removed
    return RunningRebuild(started: started, nextOperations: pass.operationsAfter)
  }

  /// Ends a rebuild that a loop has fed with rows.
  func finish(_ running: RunningRebuild, _ body: () throws -> Void) throws {
    let runner = new.waitForRunner()
    try runner.finish(running.started, body)
    try runner.run(running.nextOperations)
  }
}
