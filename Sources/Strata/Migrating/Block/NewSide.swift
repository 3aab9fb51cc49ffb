import GRDB
import StrataStorage

/// The side of a migration that is written: its connection, and what loops, new objects and typed
/// objects have set that is not in the tables yet.
///
/// What needs the connection asks ``flush(_:)`` for it. Reading a property here writes nothing.
final class NewSide {
  /// The connection and its runner; nil when the block has returned, whose objects may be kept.
  private var open: (connection: Database, runner: OperationRunner)?
  /// The fate of the rows of each class so far.
  let accounts: RowAccounts
  private let status: BlockStatus
  /// Writes what loops have set, while their closures go on with the next rows. Nothing else may
  /// use the connection meanwhile.
  let background = BackgroundWork()
  @exclusivity(unchecked) private var loops: [MigrationLoop] = []
  private var functions: RowBufferFunctions?
  /// By classes, what creates objects with values that are plain; nil inside where nothing can.
  @exclusivity(unchecked) var creations: [String: PlainCreation?] = [:]
  /// Whether one of them has enough to be written.
  @exclusivity(unchecked) var hasManyCreated = false
  /// What was set last in an object of a model class, and not yet handed on to its row.
  @exclusivity(unchecked) var pendingTyped: (object: ObjectBase, slot: _PropertySlot)?

  init(_ connection: Database, _ runner: OperationRunner, _ status: BlockStatus) {
    open = (connection, runner)
    accounts = runner.accounts
    self.status = status
  }

  /// Lets go of what belongs to the block.
  func end() {
    pendingTyped = nil
    creations = [:]
    functions?.remove()
    functions = nil
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

  /// Writes what was created and what running loops have set so far, in one class or in all, and
  /// returns the connection. Everything else that looks at the new side comes here first.
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
    // The caller may change tables, or give identities away.
    for creation in creations.values { status.attemptIfSound { try creation?.flush() } }
    creations = [:]
    return connection
  }

  /// Writes what was created, when that is much, while the block continues with the next row.
  func flushCreated() throws {
    hasManyCreated = false
    for creation in creations.values { try creation?.flush(in: background) }
  }

  /// Hands on what the block has set last in an object of a model class.
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

  /// Does operations, when everything is written that the block has set.
  func run(_ operations: [TableOperation]) throws { try flushForOperations().run(operations) }

  /// What does operations, when everything is written that the block has set.
  func flushForOperations() -> OperationRunner {
    flush()
    return runner
  }

  /// What does operations beside running loops: only for what can't touch their tables.
  func waitForRunner() -> OperationRunner {
    waitForWriter()
    return runner
  }

  var monitor: MigrationMonitor? { runner.monitor }

  /// The version that the file was at before; nil for a new one.
  var oldVersion: UInt64? { runner.report.from }

  func noteRows(_ count: Int) { runner.noteRows(count) }

  // MARK: Loops

  func enter(_ loop: MigrationLoop) {
    // A loop around it no longer knows what the rows are, and has set its part before.
    flush(loop.className)
    forgetOldRows(loop.className)
    for outer in loops where outer.className == loop.className { outer.detachCurrent() }
    loops.append(loop)
  }

  func leaveLoop() { loops.removeLast() }

  func isLooping(over className: String) -> Bool {
    loops.contains { $0.className == className }
  }

  /// Rows of a class, or of all, may have changed outside of its loop.
  func forgetOldRows(_ className: String?) {
    for loop in loops where className == nil || loop.className == className {
      loop.forgetOldRows()
    }
  }

  /// Tells the loops whose current rows the block has deleted, by whichever instance.
  func markCurrentDeleted(where isDeleted: (MigrationLoop) -> Bool) {
    for loop in loops where isDeleted(loop) { loop.markCurrentDeleted() }
  }

  /// Tells the loops over a class that its identity has another name.
  func renameIdentity(to name: String, in className: String) {
    for loop in loops where loop.className == className { loop.renameIdentity(to: name) }
  }

  /// Makes what writes the rows of a class for a loop.
  func makeWriter(_ schema: ObjectSchema, _ rebuilder: TableRebuilder?) throws -> RowWriter {
    let functions = try functions ?? RowBufferFunctions(connection)
    self.functions = functions
    return RowWriter(
      connection, functions, table: schema.className, identity: schema.identityColumn,
      rebuilder: rebuilder)
  }
}
