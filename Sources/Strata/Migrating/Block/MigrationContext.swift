import GRDB
import IssueReporting
import Logging
import StrataStorage

/// The context of a migration while the user's block runs: both sides, and the records of the
/// block.
///
/// State with a single owner is in that owner; the context has the work that involves several
/// owners.
final class MigrationContext {
  /// The old side; nil after the block has returned, so that retained objects don't keep the file
  /// open.
  private var oldConnection: Database?
  let new: NewSide
  let status: BlockStatus
  let classes: BlockClasses
  let notes = BlockNotes()
  let tables = BlockTables()
  let creations = Creations()
  /// Whether loops visit only the objects that older programs have added or changed.
  var visitsOlderWrites = false

  init(
    old: Database, new: Database, oldSchema: Schema, physical: Schema,
    discovered: DiscoveredSchema, runner: OperationRunner, logger: Logger?
  ) {
    oldConnection = old
    status = BlockStatus(new.fileURL, logger)
    self.new = NewSide(new, runner, status)
    classes = BlockClasses(oldSchema, physical, discovered)
  }

  /// Runs the block. Returns the tables of the file after the block.
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

  /// The connection that sees the rows from before the migration.
  var old: Database {
    guard let oldConnection else {
      stopForProgrammerError("The rows of a migration can't be read after its block.")
    }
    return oldConnection
  }

  /// Returns the connection of a table's rows, after writing all pending changes of the table's
  /// class, or of all classes.
  func flush(_ table: MigrationTable, all: Bool = false) -> Database {
    table.isNew ? new.flush(all ? nil : table.className) : old
  }

  // MARK: Objects

  @inline(__always)
  func canUse(_ object: DynamicObject) -> Bool {
    // Old objects can be read even after an error: the closure must get the value that it asks for.
    guard status.canWork() || (!status.isOver && !object.table.isNew) else { return false }
    if object.isDeleted { status.fail("\(ErrorText.deleted) ('\(object.table.className)')") }
    return !object.isDeleted
  }

  /// Returns a placeholder for a caller that must get an object after an error. The placeholder
  /// can't be read or written.
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

  /// Logs an unknown class name. A misspelled name is not an error in Realm, but then the block
  /// doesn't carry the values over.
  func logIfUnknown(_ className: String) {
    guard classes.oldSchema[className] == nil, classes.newSchema[className] == nil else { return }
    status.logger?.notice(
      "Neither the file nor the program has a class '\(className)' to enumerate.")
  }

  // MARK: Changes

  /// Records that rows of a class, or of all classes, may have changed outside of their loop.
  func touch(_ className: String?) {
    notes.touch(className)
    new.forgetOldRows(className)
  }

  /// Records that triggers may have deleted objects of some classes.
  func recordUncertain(_ classNames: Set<String>) {
    notes.recordChange()
    guard !classNames.isEmpty else { return }
    notes.recordUncertain(classNames)
    // The triggers may also have set links to nil.
    touch(nil)
    new.markCurrentDeleted {
      classNames.contains($0.className) && isDeleted($0.row, of: $0.className)
    }
  }

  /// Records a deleted row.
  ///
  /// - Parameter isMerged: Whether another row has replaced this one.
  func recordDeleted(_ row: Int64, of className: String, isMerged: Bool = false) {
    guard notes.recordDeleted(row, of: className) else { return }
    new.markCurrentDeleted { $0.row == row && $0.className == className }
    if isMerged {
      new.accounts.recordMerged(className)
    } else {
      new.accounts.recordDeleted(className)
    }
  }

  func isDeleted(_ row: Int64, of className: String) -> Bool {
    if notes.hasDeleted(row, of: className) { return true }
    // Rows that triggers deleted are not recorded.
    guard notes.uncertain.contains(className), let table = newTable(className) else { return false }
    return !exists(row, in: table)
  }

  /// The new classes whose rows may have been inserted or deleted.
  var involvedClasses: Set<String> {
    new.accounts.changedClasses.union(notes.uncertain)
      .intersection(classes.physical.objectSchema.map(\.className))
  }
}

extension MigrationContext {
  /// Returns a loop over the old objects of a class, or over the ones that meet a condition; nil
  /// after an error.
  func loop(over old: MigrationTable, where condition: MigrationCondition?) -> MigrationLoop? {
    guard condition != nil || visitsOlderWrites else { return loop(over: old) }
    let query = status.attempt { () throws(RealmError) in
      var query = try condition?.query(of: old) ?? old.allRows
      if visitsOlderWrites {
        let identities = OlderWrites.identities(
          old.className, in: old.name, identity: old.identity)
        let visited = "t.\(old.identity) IN (\(identities))"
        query.condition = query.condition.map { "(\($0)) AND \(visited)" } ?? visited
      }
      return query
    }
    guard let query else { return nil }
    return loop(over: old, finding: query)
  }

  /// Records the rows of a class whose old objects meet a condition, where statements on the new
  /// side can read them.
  func recordRows(of className: String, where condition: MigrationCondition) throws -> NotedRows {
    let query = try oldTable(className).map { ($0, try condition.query(of: $0)) }
    notes.conditionCount += 1
    let noted = try NotedRows(new.flush(), number: notes.conditionCount)
    guard let (table, query) = query else { return noted }
    let reader = try table.makeReader(finding: query)
    while try reader.next() { try noted.add(reader.row) }
    return noted
  }

  /// Deletes the objects of a class whose old objects meet a condition. Returns the number of them.
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
          recordDeleted(reader.row, of: className)
          count += 1
        }
      }
      return count
    } ?? 0
  }
}

extension MigrationContext {
  // MARK: Tables

  /// Returns the class before the migration; nil if the file had no table for it.
  ///
  /// - Parameter name: The current name of the class, or its name in the file unless another class
  ///   has that name now.
  func oldTable(_ name: String) -> MigrationTable? {
    oldTable(inFile: classes.fileNames[name] ?? name)
  }

  func oldTable(inFile name: String) -> MigrationTable? {
    if let table = tables.old[name] { return table }
    guard let schema = classes.oldSchema[name] else { return nil }
    let table = MigrationTable(
      schema, className: classes.currentName(ofFileClass: name), identity: nil, isNew: false,
      context: self)
    tables.old[name] = table
    return table
  }

  /// Returns the table of a class of the program, ready to be written; nil for other classes.
  func newTable(_ name: String) -> MigrationTable? {
    if let table = tables.new[name] { return table }
    guard let schema = classes.newSchema[name] else { return nil }
    prepare(name)
    let identity = classes.physical[name]?.identityColumn
    let table = MigrationTable(schema, identity: identity, isNew: true, context: self)
    tables.new[name] = table
    return table
  }

  /// Adds the columns of the program to a class's table, next to the existing ones.
  ///
  /// Called only when the block first uses the class. A block that renames a property before that
  /// renames a column; otherwise a new column would have to be dropped again, which would write
  /// every row.
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

  /// Prepares a class again after its columns have changed.
  ///
  /// Existing objects and loops of the block keep using the same table.
  func prepareAgain(_ name: String) {
    if classes.prepared.remove(name) != nil { prepare(name) }
    if let schema = classes.physical[name] { renameIdentity(to: schema.identityColumn, in: name) }
  }

  /// Informs the table and the loops of a class that the identity column has been renamed.
  func renameIdentity(to name: String, in className: String) {
    tables.new[className]?.identity = SQLName.quote(name)
    new.renameIdentity(to: name, in: className)
  }
}

extension MigrationContext {
  /// Returns a loop over a class of the file.
  ///
  /// If the table must be rebuilt for the program's columns, the loop does the rebuild: each row is
  /// written once, with its final values.
  func loop(over old: MigrationTable, finding query: QuerySQL? = nil) -> MigrationLoop? {
    let name = old.className
    return status.attempt {
      let rebuild = try startRebuild(name)
      guard let new = newTable(name), let schema = classes.physical[name] else {
        return MigrationLoop(old: old, new: nil, finding: query, nil, nil, showsOldRows: false)
      }
      let writer = self.new.makeWriter(schema, rebuild?.rebuilder)
      return MigrationLoop(
        old: old, new: new, finding: query, writer, rebuild,
        showsOldRows: !notes.isTouched(name) && !self.new.isLooping(over: name))
    }
  }

  /// Informs the monitor that a loop over the old rows of a table begins.
  func beginRows(of table: MigrationTable) throws {
    try new.monitor?.begin(
      table.className, identity: table.schema.identityColumn, isCopied: false, old)
  }

  /// Calls a closure for each object of a class that isn't in the file: the objects that were
  /// created before this call.
  func enumerate(_ table: MigrationTable, _ body: MigrationLoop.Body) rethrows {
    for row in rows(of: table) {
      guard status.isSound else { return }
      if isDeleted(row, of: table.className) { continue }
      new.recordRows(1)
      try body(nil, DynamicObject(table, row: row))
    }
  }

  func enter(_ loop: MigrationLoop) {
    new.enter(loop)
    notes.touch(loop.className)
  }

  func leave(_ loop: MigrationLoop, rows: Int) {
    new.leaveLoop()
    new.recordRows(rows)
    touch(loop.className)
  }

  private func startRebuild(_ name: String) throws -> StartedRebuild? {
    guard let target = classes.newSchema[name], let before = classes.physical[name],
      !classes.prepared.contains(name)
    else { return nil }
    let list = SchemaTranslator.operations(
      from: Schema([before]), to: Schema([target]), phase: .duringLoop,
      removal: try new.removals(),
      defaults: try classes.makeDefaults().value)
    guard let pass = list.onePassRebuild(of: before) else { return nil }
    let started = try new.waitForRunner().start(pass)
    classes.prepared.insert(name)
    for schema in list.schema.objectSchema { classes.physical.update(schema) }
    classes.removed[name] = pass.removed
    return started
  }
}
