import GRDB
import IssueReporting
import Logging
import StrataStorage

/// One migration while the block of the user runs: both sides, and what is known of them.
///
/// What belongs to one owner is asked of it; here is what needs several of them.
final class MigrationContext {
  /// Nil when the block has returned: the objects that it kept don't keep the file open.
  private var oldConnection: Database?
  let new: NewSide
  let status: BlockStatus
  let classes: BlockClasses
  let notes = BlockNotes()
  let tables = BlockTables()
  let creations = Creations()

  init(
    old: Database, new: Database, oldSchema: Schema, physical: Schema,
    discovered: DiscoveredSchema, runner: OperationRunner, logger: Logger?
  ) {
    oldConnection = old
    status = BlockStatus(new.fileURL, logger)
    self.new = NewSide(new, runner, status)
    classes = BlockClasses(oldSchema, physical, discovered)
  }

  /// Runs the block; returns what is in the file then.
  func run(_ body: () throws -> Void) throws -> Schema {
    defer {
      status.end()
      tables.end()
      new.end()
      oldConnection = nil
    }
    do {
      try body()
    } catch {
      throw status.error ?? BlockFailure(error: error)
    }
    new.flush()
    if let error = status.error { throw error }
    try classes.checkRenames()
    return classes.physical
  }

  /// Sees the rows as they were before.
  var old: Database {
    guard let oldConnection else {
      stopForProgrammerError("The rows of a migration can't be read after its block.")
    }
    return oldConnection
  }

  /// The connection that the rows of a table are on, with everything written that has been set in
  /// its class, or in all classes.
  func flush(_ table: MigrationTable, all: Bool = false) -> Database {
    table.isNew ? new.flush(all ? nil : table.className) : old
  }

  // MARK: Objects

  @inline(__always)
  func canUse(_ object: DynamicObject) -> Bool {
    // Old objects can be read to the end: a closure that asks for a value there must get it.
    guard status.canWork() || (!status.isOver && !object.table.isNew) else { return false }
    if object.isDeleted { status.fail("\(ErrorText.deleted) ('\(object.table.className)')") }
    return !object.isDeleted
  }

  /// An object for a caller that must get one after a mistake: it can't be read or written.
  func placeholder(_ className: String) -> DynamicObject {
    let table = MigrationTable(
      ObjectSchema(className: className, properties: []), identity: nil, isNew: true, context: self)
    let object = DynamicObject(table, row: 0)
    object.markDeleted()
    return object
  }

  func reportUnreadable(_ property: Property, of object: DynamicObject) {
    reportIssue(
      """
      '\(object.table.className).\(property.name)' of the row with \
      \(object.table.schema.identityColumn) \(object.rowID) holds no value of type \
      '\(property.typeName)' and reads as nil.
      """)
  }

  /// A misspelt class is not a mistake to Realm, and costs the values that the block would have
  /// carried.
  func logIfUnknown(_ className: String) {
    guard classes.oldSchema[className] == nil, classes.newSchema[className] == nil else { return }
    status.logger?.notice(
      "Neither the file nor the program has a class '\(className)' to enumerate.")
  }

  // MARK: Changes

  /// Notes that rows of a class, or of all, may have changed outside of its loop.
  func touch(_ className: String?) {
    notes.touch(className)
    new.forgetOldRows(className)
  }

  /// Notes that triggers may have deleted objects of classes.
  func noteUncertain(_ classNames: Set<String>) {
    notes.noteChange()
    guard !classNames.isEmpty else { return }
    notes.noteUncertain(classNames)
    // They may have made links nil as well.
    touch(nil)
    new.markCurrentDeleted {
      classNames.contains($0.className) && isDeleted($0.row, of: $0.className)
    }
  }

  /// - Parameter isMerged: Whether another row has taken the place of this one.
  func noteDeleted(_ row: Int64, of className: String, isMerged: Bool = false) {
    guard notes.noteDeleted(row, of: className) else { return }
    new.markCurrentDeleted { $0.row == row && $0.className == className }
    if isMerged {
      new.accounts.noteMerged(className)
    } else {
      new.accounts.noteDeleted(className)
    }
  }

  func isDeleted(_ row: Int64, of className: String) -> Bool {
    if notes.hasDeleted(row, of: className) { return true }
    // Rows that triggers deleted are noted nowhere.
    guard notes.uncertain.contains(className), let table = newTable(className) else { return false }
    return !exists(row, in: table)
  }

  /// The classes of the new side of which rows may have come or gone.
  var involvedClasses: Set<String> {
    new.accounts.changedClasses.union(notes.uncertain)
      .intersection(classes.physical.objectSchema.map(\.className))
  }
}

extension MigrationContext {
  /// A loop over the old objects of a class, or those for which a condition is true; nil when
  /// there are none, or after a mistake.
  func loop(over old: MigrationTable, where condition: MigrationCondition?) -> MigrationLoop? {
    guard let condition else { return loop(over: old) }
    guard let query = status.attempt({ try condition.query(of: old) }) else { return nil }
    return loop(over: old, finding: query)
  }

  /// Notes the rows of a class for whose old objects a condition is true, where statements of the
  /// new side can look.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a wrong condition, or a `DatabaseError`.
  func noteRows(of className: String, where condition: MigrationCondition) throws -> NotedRows {
    let query = try oldTable(className).map { ($0, try condition.query(of: $0)) }
    notes.conditionCount += 1
    let noted = try NotedRows(new.flush(), number: notes.conditionCount)
    guard let (table, query) = query else { return noted }
    let reader = try table.makeReader(finding: query)
    while try reader.next() { try noted.add(reader.row) }
    return noted
  }

  /// Deletes the objects of a class for whose old objects a condition is true; returns how many.
  func delete(_ className: String, where condition: MigrationCondition) -> Int {
    guard status.canWork() else { return 0 }
    logIfUnknown(className)
    guard let old = oldTable(className) else { return 0 }
    return status.attempt {
      let query = try condition.query(of: old)
      guard let new = newTable(className) else {
        throw RealmError(
          .fail,
          "Cannot delete objects of '\(className)': it is not a class of the program. It has: "
            + "\(BlockClasses.names(classes.newSchema)). Delete all of them with "
            + "'deleteData(forType: \"\(className)\")'.")
      }
      var count = 0
      try deleting(from: className) {
        let rows = new.flushedRows(all: true)
        let reader = try old.makeReader(finding: query)
        while try reader.next() {
          guard !isDeleted(reader.row, of: className) else { continue }
          try rows.delete(reader.row)
          noteDeleted(reader.row, of: className)
          count += 1
        }
      }
      return count
    } ?? 0
  }
}

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
