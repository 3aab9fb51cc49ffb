import GRDB
import IssueReporting
import Logging

/// The state of one migration while the user's block runs.
///
/// The first mistake ends the migration: it is kept here, everything asked for after it does
/// nothing, and it is thrown when the block returns.
final class MigrationContext {
  let old: Database
  let new: Database
  let oldSchema: Schema
  let discovered: DiscoveredSchema
  let runner: StepRunner
  private let logger: Logger?
  /// What is in the file at this moment.
  var physical: Schema { didSet { hasTriggers = false } }
  /// Whether the triggers that see to links and embedded objects are those of ``physical``.
  @exclusivity(unchecked) private var hasTriggers = false
  @exclusivity(unchecked) private(set) var error: RealmError?
  @exclusivity(unchecked) private(set) var isOver = false
  /// Changes whenever a row or a table of the new side does.
  @exclusivity(unchecked) private(set) var version = 0
  /// The classes whose tables have the columns of the program.
  private var prepared: Set<String> = []
  private var defaults: ModelDefaults?
  private var oldTables: [String: MigrationTable] = [:]
  private var newTables: [String: MigrationTable] = [:]
  /// The rows that the block deleted, whose old objects have no counterpart any more.
  @exclusivity(unchecked) private var deleted: [String: RowSet] = [:]
  /// The classes whose rows may have gone with others.
  @exclusivity(unchecked) private var uncertain: Set<String> = []
  @exclusivity(unchecked) private var loops: [Unmanaged<DynamicObject>] = []
  /// What is making objects at this moment.
  var creator: MigrationCreator?
  /// The rows of objects in memory that the block made part of the file.
  var promoted: [ObjectBase: Int64] = [:]
  private let updates: UpdateStatements

  init(
    old: Database, new: Database, oldSchema: Schema, discovered: DiscoveredSchema,
    runner: StepRunner, logger: Logger?
  ) {
    self.old = old
    self.new = new
    self.oldSchema = oldSchema
    physical = oldSchema
    self.discovered = discovered
    self.runner = runner
    updates = UpdateStatements(new)
    self.logger = logger
  }

  var newSchema: Schema { discovered.schema }

  /// Runs the block; returns what is in the file then.
  func run(_ block: MigrationBlock, from version: UInt64) throws -> Schema {
    defer { end() }
    do {
      try block(Migration(self), version)
    } catch {
      throw self.error ?? Migrator.BlockFailure(error: error)
    }
    flush()
    if let error { throw error }
    try checkRenames()
    return physical
  }

  /// Objects that somebody kept still find the context, which tells them that it is over.
  private func end() {
    isOver = true
    oldTables = [:]
    newTables = [:]
    updates.removeAll()
  }

  // MARK: Mistakes

  func fail(_ message: String) { fail(RealmError(.fail, message)) }

  func fail(_ error: RealmError) {
    guard self.error == nil else { return }
    self.error = error
    // At once: what the block does next with a missing value may end the process.
    logger?.error("The migration can't go on: \(error.loggedMessage)")
  }

  /// A misspelt class is no mistake to Realm, and costs the values that the block would have
  /// carried.
  func noteIfUnknown(_ className: String) {
    guard oldSchema[className] == nil, newSchema[className] == nil else { return }
    logger?.notice("Neither the file nor the program has a class '\(className)' to enumerate.")
  }

  /// Whether work may go on.
  func canWork() -> Bool {
    if isOver { reportIssue("A migration was used after its block returned.") }
    return !isOver && error == nil
  }

  func canUse(_ object: DynamicObject) -> Bool {
    guard canWork() else { return false }
    if object.isDeleted { fail("\(ErrorText.deleted) ('\(object.table.className)')") }
    return !object.isDeleted
  }

  /// Runs work on the database whose failure ends the migration.
  func attempt<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      fail(RealmError(error, at: new.fileURL))
      return nil
    }
  }

  func reportUnreadable(_ property: Property, of object: DynamicObject) {
    reportIssue(
      """
      '\(object.table.className).\(property.name)' of the row with \
      \(object.table.schema.identityColumn) \(object.rowID) holds no value of type \
      '\(property.typeName)' and reads as nil.
      """)
  }

  // MARK: Tables

  /// The class before the migration; nil when the file had no table for it.
  func oldTable(_ name: String) -> MigrationTable? {
    if let table = oldTables[name] { return table }
    guard let schema = oldSchema[name] else { return nil }
    let table = MigrationTable(schema, identity: nil, isNew: false, db: old, context: self)
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
    let table = MigrationTable(schema, identity: identity, isNew: true, db: new, context: self)
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
      let plan = MigrationPlanner.plan(
        from: Schema(before.map { [$0] } ?? []), to: Schema([target]), phase: .beforeBlock,
        defaults: try modelDefaults().value)
      try runner.run(plan.steps)
      for schema in plan.schema.objectSchema { physical.update(schema) }
    }
  }

  /// Prepares a class again after its columns changed under it.
  func prepareAgain(_ name: String) {
    newTables[name] = nil
    // They name the columns as they were.
    updates.removeAll()
    if prepared.remove(name) != nil { prepare(name) }
  }

  private func modelDefaults() throws -> ModelDefaults {
    if let defaults { return defaults }
    let changes = SchemaDiff.changes(from: oldSchema, to: newSchema)
    let made = try ModelDefaults(of: changes, discovered)
    defaults = made
    return made
  }

  // MARK: Rows

  /// Reads the row of an object that is not the current one of a loop over its table.
  func fetchRow(_ object: DynamicObject) -> [_StoredElement]? {
    if object.table.isNew { flush(except: object) }
    let table = object.table
    return attempt {
      let statement = try table.db.cachedStatement(
        sql: "\(table.select) WHERE \(table.identity) = ?")
      statement.bindRaw(object.rowID, at: 1)
      guard try statement.stepRaw() else { return nil }
      defer { statement.resetRaw() }
      return table.properties.indices.map { table.element(statement.sqliteStatement, $0) }
    } ?? nil
  }

  /// Notes the object whose changes are written when its closure returns.
  func enterLoop(_ object: DynamicObject) { loops.append(.passUnretained(object)) }

  func leaveLoop() { loops.removeLast() }

  /// Writes what the closures of running loops have changed so far.
  func flush(except object: DynamicObject? = nil) {
    for loop in loops {
      let changed = loop.takeUnretainedValue()
      if changed !== object, changed.hasChanges { write(changed) }
    }
  }

  /// Writes the changes of an object to its row.
  func write(_ object: DynamicObject) {
    guard error == nil, !isOver else { return }
    _ = attempt {
      try object.takeChanges { slots, values in
        let table = object.table
        if let key = table.primaryKeySlot, slots.contains(key) {
          try suspendPrimaryKey(of: table.className)
        }
        let statement = try updates.statement(table, slots)
        var index: Int32 = 1
        for slot in slots {
          statement.bind(values[slot] ?? .null, table.columns[slot].count, at: &index)
        }
        statement.bindRaw(object.rowID, at: index)
        _ = try statement.stepRaw()
      }
      version += 1
    }
  }

  /// Duplicates are fine until the block ends: the key's index goes, and is made again after it.
  func suspendPrimaryKey(of className: String) throws {
    guard var schema = physical[className], let key = schema.primaryKey else { return }
    try runner.run([.dropPrimaryKey(table: className, column: key)])
    schema.primaryKey = nil
    physical.update(schema)
  }

  func isDeleted(_ row: Int64, of className: String) -> Bool {
    if !deleted.isEmpty, deleted[className]?.contains(row) == true { return true }
    // Rows that triggers deleted are noted nowhere.
    guard uncertain.contains(className), let table = newTable(className) else { return false }
    return !exists(row, in: table)
  }

  /// Whether a row is in the file now.
  func exists(_ row: Int64, in table: MigrationTable) -> Bool {
    attempt {
      let statement = try table.db.cachedStatement(
        sql: "SELECT 1 FROM \(table.name) WHERE \(table.identity) = ?")
      statement.bindRaw(row, at: 1)
      defer { statement.resetRaw() }
      return try statement.stepRaw()
    } ?? false
  }

  /// Makes the triggers that see to links and embedded objects when rows are deleted. Foreign keys
  /// are off in a migration, and changes of tables remove the triggers.
  func makeTriggers() throws {
    guard !hasTriggers else { return }
    try runner.makeTriggers(of: physical)
    hasTriggers = true
  }

  /// Notes that triggers may have deleted objects of classes.
  func noteUncertain(_ classNames: some Sequence<String>) {
    uncertain.formUnion(classNames)
    version += 1
  }

  func noteDeleted(_ row: Int64, of className: String) {
    deleted[className, default: RowSet()].insert(row)
    version += 1
  }

  func noteChange() { version += 1 }

  // MARK: Renames

  /// A rename to a name that no property of the program has is a mistake, which shows at the end.
  private func checkRenames() throws {
    for schema in physical.objectSchema {
      guard let target = newSchema.stored[schema.className],
        let start = oldSchema[schema.className]
      else { continue }
      for property in schema.properties
      where target.property(column: property.columnName) == nil
        && start.property(column: property.columnName) == nil
      {
        throw RealmError(
          .fail,
          "Renamed property '\(schema.className).\(property.columnName)' does not exist. Rename it "
            + "to a property of the class.")
      }
    }
  }
}
