import GRDB
import Logging

/// The state of one migration while the user's block runs.
///
/// The first mistake ends the migration: it is kept here, everything asked for after it does
/// nothing, and it is thrown when the block returns.
final class MigrationContext {
  let old: Database
  private let connection: Database
  let oldSchema: Schema
  /// The same by the names that the classes have now: a block may rename them.
  var start: Schema
  /// By the names that renamed classes have now, those that they have in the file.
  var fileNames: [String: String] = [:]
  let discovered: DiscoveredSchema
  /// Makes operations beside running loops; only for what can't touch their tables.
  var operationRunner: OperationRunner {
    waitForWriter()
    return operations
  }
  private let operations: OperationRunner
  /// Writes what loops have set, while their closures go on with the next rows. Whoever is given the
  /// connection, or what works on it, waits for it first.
  let background = BackgroundWork()
  let logger: Logger?
  /// What is in the file at this moment, when all loops are settled.
  var physical: Schema { didSet { hasTriggers = false } }
  /// Whether the triggers that see to links and embedded objects are those of ``physical``.
  @exclusivity(unchecked) var hasTriggers = false
  @exclusivity(unchecked) private(set) var error: RealmError?
  @exclusivity(unchecked) private(set) var isOver = false
  /// Whether the migration goes on: no mistake was made, and the block has not returned.
  @exclusivity(unchecked) private(set) var isSound = true
  /// Changes whenever a row or a table of the new side does.
  @exclusivity(unchecked) var version = 0
  /// The classes whose tables have the columns of the program.
  var prepared: Set<String> = []
  /// The properties whose columns went with a loop, for a block that renames one afterwards.
  var removed: [String: [Property]] = [:]
  /// `Person.age`: the properties of the file that the block has read, renamed or deleted.
  @exclusivity(unchecked) var carried: Set<String> = []
  /// The properties of the file whose names the block has given to others.
  var replaced: [PossibleLoss] = []
  /// The defaults of the program's classes, beside what the file has of them; nil until needed.
  var defaults: ModelDefaults?
  var oldTables: [String: MigrationTable] = [:]
  var newTables: [String: MigrationTable] = [:]
  /// The rows that the block deleted, whose old objects have no counterpart any more.
  @exclusivity(unchecked) var deleted: [String: RowSet] = [:]
  /// The classes whose rows may have gone with others.
  @exclusivity(unchecked) var uncertain: Set<String> = []
  /// The classes whose new rows may have other values than the old ones; nil for all.
  @exclusivity(unchecked) var touched: Set<String>? = []
  @exclusivity(unchecked) private var loops: [MigrationLoop] = []
  private var functions: RowBufferFunctions?
  /// By classes, what makes objects with values that are plain; nil inside where nothing can.
  @exclusivity(unchecked) var plainCreations: [String: PlainCreation?] = [:]
  /// Whether one of them has enough to be written.
  @exclusivity(unchecked) var hasManyCreated = false
  /// The model classes that the block has used as types of rows.
  var typedClasses: [TypedClassKey: TypedClass] = [:]
  /// What was set last in an object of a model class, and not yet handed on.
  @exclusivity(unchecked) var pendingTyped: (object: ObjectBase, slot: Int)?
  let typedClock = StampClock()
  /// How many times duplicates were looked for.
  var resolutions = 0
  /// What is making objects at this moment.
  var creator: MigrationCreator?
  /// The copies of old objects that it has made of classes which only a schema describes.
  var frozenCopies: [DynamicObject: Int64] = [:]
  /// The rows of objects in memory that the block made part of the file.
  var promoted: [ObjectBase: Int64] = [:]

  init(
    old: Database, new: Database, oldSchema: Schema, discovered: DiscoveredSchema,
    runner: OperationRunner, logger: Logger?
  ) {
    self.old = old
    connection = new
    self.oldSchema = oldSchema
    start = oldSchema
    physical = oldSchema
    self.discovered = discovered
    operations = runner
    self.logger = logger
  }

  var newSchema: Schema { discovered.schema }

  /// The connection of the new side, with everything written that loops have set so far.
  var new: Database {
    settle()
    return connection
  }

  /// An error of any kind, with the file that it is about.
  func naming(_ error: any Error) -> RealmError { RealmError(error, at: connection.fileURL) }

  /// The connection, for what looks at one class only.
  func new(for className: String) -> Database {
    settle(className)
    return connection
  }

  /// Makes operations when everything is written that loops have set so far.
  var runner: OperationRunner {
    settle()
    return operationRunner
  }

  /// Runs the block; returns what is in the file then.
  func run(_ body: () throws -> Void) throws -> Schema {
    defer { end() }
    do {
      try body()
    } catch {
      throw self.error ?? BlockFailure(error: error)
    }
    settle()
    if let error { throw error }
    try checkRenames()
    try checkClassRenames()
    return physical
  }

  /// Objects that somebody kept still find the context, which tells them that it is over.
  private func end() {
    isOver = true
    isSound = false
    oldTables = [:]
    newTables = [:]
    typedClasses = [:]
    pendingTyped = nil
    plainCreations = [:]
    functions?.remove()
    functions = nil
  }

  // MARK: Mistakes

  func fail(_ message: String) { fail(RealmError(.fail, message)) }

  func fail(_ error: RealmError) {
    guard self.error == nil else { return }
    self.error = error
    isSound = false
    // At once: what the block does next with a missing value may end the process.
    logger?.error("The migration can't go on: \(error.loggedMessage)")
  }

  /// Ends the migration with an error of any kind. Nothing is written first, which may fail again.
  func fail(_ error: any Error) { fail(naming(error)) }

  // MARK: Loops

  /// The functions by which loops hand their changes to statements.
  func changeFunctions() throws -> RowBufferFunctions {
    if let functions { return functions }
    let made = try RowBufferFunctions(connection)
    functions = made
    return made
  }

  /// What writes the rows of a class for a loop.
  func writer(
    _ functions: RowBufferFunctions, _ schema: ObjectSchema, _ rebuilder: TableRebuilder?
  ) -> RowWriter {
    RowWriter(
      connection, functions, table: schema.className, identity: schema.identityColumn,
      rebuilder: rebuilder)
  }

  func enter(_ loop: MigrationLoop) {
    // A loop around it no longer knows what the rows are, and has set its part before.
    settle(loop.className)
    touch(loop.className)
    for outer in loops where outer.className == loop.className { outer.detachCurrent() }
    loops.append(loop)
  }

  /// Tells whoever goes through a class that its identity has another name.
  func identityIsCalled(_ name: String, in className: String) {
    newTables[className]?.identity = SQLName.quote(name)
    for loop in loops where loop.className == className { loop.identityIsCalled(name) }
  }

  func isLooping(over className: String) -> Bool {
    loops.contains { $0.className == className }
  }

  func leave(_ loop: MigrationLoop, rows: Int) {
    loops.removeLast()
    operationRunner.noteRows(rows)
    touch(loop.className)
  }

  /// Writes what was created and what running loops have set so far, in one class or in all.
  /// Whatever else looks at the new side comes here first.
  func settle(_ className: String? = nil) {
    waitForWriter()
    if pendingTyped != nil { flushTyped() }
    if loops.isEmpty, plainCreations.isEmpty { return }
    for loop in loops where className == nil || loop.className == className {
      attemptIfSound { try loop.settle() }
    }
    if let className {
      if let creation = plainCreations[className] { attemptIfSound { try creation?.flush() } }
      return
    }
    // Whoever comes may change tables, or give identities away.
    for creation in plainCreations.values { attemptIfSound { try creation?.flush() } }
    plainCreations = [:]
  }

  /// Writes what was created, when that is much, while the block goes on with the next row.
  func writeCreated() throws {
    hasManyCreated = false
    for creation in plainCreations.values { try creation?.flush(in: background) }
  }

  func noteCreated(_ count: Int, of className: String) {
    operations.accounts.noteCreated(className, rows: count)
  }

  /// Waits until nobody else uses the connection.
  func waitForWriter() {
    guard background.isRunning else { return }
    do {
      try background.wait()
    } catch {
      fail(error)
    }
  }

  /// Notes that rows of a class, or of all, may have changed outside of its loop.
  func touch(_ className: String?) {
    if let className { touched?.insert(className) } else { touched = nil }
    for loop in loops where className == nil || loop.className == className {
      loop.forgetOldRows()
    }
  }

  func isTouched(_ className: String) -> Bool { touched?.contains(className) ?? true }

  func modelDefaults() throws -> ModelDefaults {
    if let defaults { return defaults }
    let changes = SchemaDiff.changes(from: start, to: newSchema)
    let made = try ModelDefaults(of: changes, discovered)
    defaults = made
    return made
  }
}
