import GRDB
import StrataStorage

/// The new side of a migration: its connection, and the pending changes of loops, new objects and
/// typed objects that aren't in the tables yet.
///
/// Code that needs the connection gets it from ``flush(_:)``. Reading a property here writes
/// nothing.
final class NewSide {
  /// The connection and its runner; nil after the block has returned, because the program may
  /// retain the block's objects.
  private var open: (connection: Database, runner: OperationRunner)?
  /// The numbers of created, deleted and merged rows of each class so far.
  let accounts: RowAccounts
  private let status: BlockStatus
  /// Writes the changes of loops in the background, while their closures continue with the next
  /// rows. Nothing else may use the connection meanwhile.
  let background = BackgroundWork()
  @exclusivity(unchecked) private var loops: [MigrationLoop] = []
  /// The creators of objects with plain values, by class; nil for a class that can't have one.
  @exclusivity(unchecked) var creations: [String: PlainCreation?] = [:]
  /// Whether a creator has enough rows to be written.
  @exclusivity(unchecked) var hasManyCreated = false
  /// The last change of a typed object that isn't in its row yet.
  @exclusivity(unchecked) var pendingTyped: (object: ObjectBase, slot: _PropertySlot)?

  init(_ connection: Database, _ runner: OperationRunner, _ status: BlockStatus) {
    open = (connection, runner)
    accounts = runner.accounts
    self.status = status
  }

  /// Releases the resources of the block.
  func end() {
    pendingTyped = nil
    creations = [:]
    open = nil
  }

  private var connection: Database { opened.connection }
  private var runner: OperationRunner { opened.runner }

  private var opened: (connection: Database, runner: OperationRunner) {
    guard let open else {
      stopForProgrammerError("The rows of a migration can't be written after its block.")
    }
    return open
  }

  // MARK: Writing

  /// Writes all created objects and all changes of running loops, in one class or in all. Returns
  /// the connection. All other access to the new side must call this method first.
  @discardableResult
  func flush(_ className: String? = nil) -> Database {
    waitForWriter()
    if pendingTyped != nil { flushTyped() }
    if loops.isEmpty, creations.isEmpty { return connection }
    for loop in loops where className == nil || loop.className == className {
      status.attemptIfSound { try loop.flush() }
    }
    if let className {
      if let creation = creations[className] { status.attemptIfSound { try creation?.flush() } }
      return connection
    }
    // The caller may change tables or use identities.
    for creation in creations.values { status.attemptIfSound { try creation?.flush() } }
    creations = [:]
    return connection
  }

  /// Writes created objects, if there are many, while the block continues with the next row.
  func flushCreated() throws {
    hasManyCreated = false
    for creation in creations.values { try creation?.flush(in: background) }
  }

  /// Passes the last change of a typed object on to its row.
  func flushTyped() {
    guard let (object, slot) = pendingTyped else { return }
    pendingTyped = nil
    (object._context as? TypedRow)?.write(object, slot)
  }

  /// Waits until the connection is not used in the background.
  func waitForWriter() {
    guard background.isRunning else { return }
    do {
      try background.wait()
    } catch {
      status.fail(error)
    }
  }

  // MARK: Operations

  /// Returns classes of the file with their retired properties.
  func withRetired(_ physical: Schema) -> Schema { runner.withRetired(physical) }

  /// Runs operations, after writing all pending changes of the block.
  func run(_ operations: [TableOperation]) throws { try flushForOperations().run(operations) }

  /// Returns the runner of operations, after writing all pending changes of the block.
  func flushForOperations() -> OperationRunner {
    flush()
    return runner
  }

  /// Returns the runner of operations without flushing: only for operations that don't affect the
  /// tables of running loops.
  func waitForRunner() -> OperationRunner {
    waitForWriter()
    return runner
  }

  /// Returns the function that decides whether a removed property is retired.
  func removals() throws -> (String, Property) -> SchemaTranslator.Removal {
    // If nothing is retired, nothing is read, and there is no need to wait.
    try (runner.retiring == nil ? runner : waitForRunner()).removals()
  }

  var monitor: MigrationMonitor? { runner.monitor }

  /// The version of the file before the migration; nil for a new file.
  var oldVersion: UInt64? { runner.report.from }

  func recordRows(_ count: Int) { runner.recordRows(count) }

  // MARK: Loops

  func enter(_ loop: MigrationLoop) {
    // An outer loop over the class can't rely on its rows any more, and its changes must be written
    // first.
    flush(loop.className)
    forgetOldRows(loop.className)
    for outer in loops where outer.className == loop.className { outer.detachCurrent() }
    loops.append(loop)
  }

  func leaveLoop() { loops.removeLast() }

  func isLooping(over className: String) -> Bool {
    loops.contains { $0.className == className }
  }

  /// Informs loops that rows of a class, or of all classes, may have changed outside of their loop.
  func forgetOldRows(_ className: String?) {
    for loop in loops where className == nil || loop.className == className {
      loop.forgetOldRows()
    }
  }

  /// Informs the loops whose current rows the block has deleted, through whichever instance.
  func markCurrentDeleted(where isDeleted: (MigrationLoop) -> Bool) {
    for loop in loops where isDeleted(loop) { loop.markCurrentDeleted() }
  }

  /// Informs the loops over a class that the identity column has been renamed.
  func renameIdentity(to name: String, in className: String) {
    for loop in loops where loop.className == className { loop.renameIdentity(to: name) }
  }

  func makeWriter(_ schema: ObjectSchema, _ rebuilder: TableRebuilder?) -> RowWriter {
    RowWriter(
      connection, table: schema.className, identity: schema.identityColumn, rebuilder: rebuilder)
  }
}
