import StrataQuery
import StrataStorage

/// A loop over the objects of a class that calls the user's closure for each.
///
/// Old rows come from a cursor on the connection that sees the file from before the migration. The
/// closure's changes of the new tables don't disturb that cursor. Changes of the new objects are
/// collected, and written for many rows at once.
final class MigrationLoop {
  typealias Body = (_ old: DynamicObject?, _ new: DynamicObject?) throws -> Void

  private let table: MigrationTable
  private let newTable: MigrationTable?
  private let writer: RowWriter?
  /// The query for the rows; nil for all of them.
  private let query: QuerySQL?
  /// The operation of the writer while it rebuilds the table.
  private var rebuild: StartedRebuild?
  /// For each new slot, the old slot with the same value, or -1.
  let oldSlots: ContiguousArray<Int>
  /// For each new slot, the column of ``changes``, or -1.
  @exclusivity(unchecked) private var changeColumns: ContiguousArray<Int32>
  /// Whether the new rows still equal the old ones, apart from the changes of this loop.
  @exclusivity(unchecked) private(set) var showsOldRows: Bool
  @exclusivity(unchecked) private(set) var row: Int64 = 0
  /// The number of rows from the first one to be written to the last one that was shown.
  @exclusivity(unchecked) private var span = 0
  /// The object that the closure has now.
  @exclusivity(unchecked) private var current: Unmanaged<DynamicObject>?
  private var isFlushing = false
  let changes: RowBuffer

  init(
    old table: MigrationTable, new newTable: MigrationTable?, finding query: QuerySQL?,
    _ writer: RowWriter?, _ rebuild: StartedRebuild?, showsOldRows: Bool
  ) {
    self.query = query
    self.table = table
    self.newTable = newTable
    self.writer = writer
    self.rebuild = rebuild
    self.showsOldRows = showsOldRows
    changes = writer?.changes ?? RowBuffer()
    oldSlots = newTable.map { table.slots(of: $0) } ?? []
    changeColumns = ContiguousArray(repeating: -1, count: newTable?.properties.count ?? 0)
  }

  private var context: MigrationContext { table.context }
  var className: String { table.className }

  // MARK: Going through rows

  func run(_ body: Body) rethrows {
    guard let reader = context.status.attempt({ try table.makeReader(finding: query) }) else {
      return
    }
    context.enter(self)
    var old = DynamicObject(table, row: 0)
    var new = newTable.map { DynamicObject($0, row: 0) }
    var count = 0
    var seen = 0
    var isComplete = false
    context.status.attemptIfSound { try context.beginRows(of: table) }
    let monitor = context.new.monitor
    monitor?.enterLoop()
    defer {
      // Waits even after an error, because the connection is used next.
      context.new.waitForWriter()
      monitor?.leaveLoop()
      // Detaches the objects even after an error, because the closure may have retained them.
      old.leaveLoop()
      new?.leaveLoop()
      current = nil
      context.status.attemptIfSound { try flush() }
      table.recordRead(by: reader)
      context.leave(self, rows: count)
      if isComplete, newTable != nil, query == nil {
        context.new.accounts.recordLoop(className, rows: seen)
      }
    }
    while context.status.isSound {
      guard next(reader) else {
        isComplete = context.status.isSound
        break
      }
      seen += 1
      // A loop with a query doesn't show the rows in between, but a statement has to scan them.
      let distance = query == nil || row == 0 ? 1 : Int(max(1, reader.row &- row))
      row = reader.row
      if newTable != nil, context.isDeleted(row, of: className) { continue }
      count += 1
      if count & MigrationMonitor.rowMask == 0 {
        context.status.attemptIfSound { try monitor?.advance(to: count) }
        guard context.status.isSound else { break }
      }
      old.show(row, of: reader)
      if let new {
        current = .passUnretained(new)
        new.show(row, of: showsOldRows ? reader : nil, in: self)
      }
      defer {
        finishRow(distance)
        // An object is reused for the next row, unless the closure retained it.
        if !isKnownUniquelyReferenced(&old) {
          old.leaveLoop()
          old = DynamicObject(table, row: row)
        }
        if new != nil, !isKnownUniquelyReferenced(&new), let newTable {
          new?.leaveLoop()
          new = DynamicObject(newTable, row: row)
        }
      }
      try body(old, new)
    }
  }

  private func next(_ reader: RowReader) -> Bool {
    do {
      return try reader.next()
    } catch {
      context.status.fail(error)
      return false
    }
  }

  /// - Parameter distance: The distance from the previous row, in rows of the table.
  private func finishRow(_ distance: Int) {
    if context.new.hasManyCreated { context.status.attemptIfSound(context.new.flushCreated) }
    guard changes.hasCurrent else {
      if changes.count > 0 { span &+= distance }
      return
    }
    span &+= changes.count == 0 ? 1 : distance
    changes.finish(row)
    context.notes.recordChange()
    if changes.isFull { context.status.attemptIfSound(flushInBackground) }
  }

  // MARK: Setting

  /// Returns the column of a property in ``changes``. For an `AnyRealmValue`, the column of the
  /// type follows.
  @inline(__always)
  func changeColumn(_ slot: Int) -> Int {
    let column = changeColumns[slot]
    return column >= 0 ? Int(column) : addColumn(slot)
  }

  private func addColumn(_ slot: Int) -> Int {
    let columns = newTable?.properties[slot].columns.map { changes.addColumn($0.name) } ?? []
    changeColumns[slot] = Int32(columns.first ?? 0)
    return Int(changeColumns[slot])
  }

  func set(_ slot: Int, _ element: _StoredElement) {
    let column = changeColumn(slot)
    changes.set(column, element.value)
    if newTable?.slots.types[slot] == .any {
      changes.set(column + 1, element.type.map { .text($0) } ?? .null)
    }
  }

  /// Returns the value that the closure has set in the current row; nil if none was set.
  func value(_ slot: Int) -> _StoredElement? {
    guard changes.hasCurrent, changeColumns[slot] >= 0 else { return nil }
    let column = Int(changeColumns[slot])
    guard let value = changes.current(column) else { return nil }
    guard newTable?.slots.types[slot] == .any, case .text(let type) = changes.current(column + 1)
    else {
      return _StoredElement(value)
    }
    return _StoredElement(value, type: type)
  }

  // MARK: Writing

  /// Writes the changes so far, while the closure continues.
  private func flushInBackground() throws {
    guard let writer else { return }
    try suspendPrimaryKey()
    try writer.write(through: row, of: span, in: context.new.background)
    span = 0
  }

  /// Writes all changes so far to the table.
  func flush() throws {
    guard let writer, !isFlushing else { return }
    isFlushing = true
    defer { isFlushing = false }
    if changes.hasCurrent {
      span += 1
      changes.finish(row)
      context.notes.recordChange()
      // The values are now in the table, and not in the old row.
      current?._withUnsafeGuaranteedRef { $0.forgetOldRow() }
    }
    try suspendPrimaryKey()
    guard let rebuild else {
      defer { span = 0 }
      return try writer.write(through: row, of: span)
    }
    span = 0
    self.rebuild = nil
    try context.new.waitForRunner().finish(rebuild) { try writer.finish(through: row) }
  }

  /// Records that the new rows don't equal the old ones any more.
  func forgetOldRows() {
    showsOldRows = false
    current?._withUnsafeGuaranteedRef { $0.forgetOldRow() }
  }

  /// Detaches the current object, because an inner loop over the same class may change its row. For
  /// the rest of the closure, changes of the object are written at once, so that the last one wins.
  func detachCurrent() { current?._withUnsafeGuaranteedRef { $0.leaveLoop() } }

  /// Marks the current object's row as deleted: setting a property from now on is an error.
  func markCurrentDeleted() { current?._withUnsafeGuaranteedRef { $0.markDeleted() } }

  func renameIdentity(to name: String) { writer?.identity = name }

  private func suspendPrimaryKey() throws {
    guard changes.count > 0, let key = newTable?.primaryKeySlot, changeColumns[key] >= 0 else {
      return
    }
    try context.suspendPrimaryKey(of: className)
  }
}

/// A condition on a class's old objects, in the language of format strings.
///
/// The condition is evaluated on the file from before the migration, whatever the block has changed
/// since.
struct MigrationCondition {
  let format: String
  let arguments: [Any]

  /// Returns the query for the old rows of a class, in the order of their identities.
  func query(of table: MigrationTable) throws(RealmError) -> QuerySQL {
    let schema = table.context.classes.oldQuerySchema
    guard let queryClass = schema[table.schema.className] else {
      return QuerySQL(
        tables: "\(table.name) AS t", condition: "0", order: "t.\(table.identity)", parameters: [])
    }
    do throws(PredicateProblem) {
      var request = QueryRequest()
      request.add(try PredicateResolver(schema).resolve(predicate(), ofObjects: queryClass))
      let identity = "t.\(queryClass.identity)"
      return request.compiled(
        for: QueryBase(
          queryClass, tables: "\(queryClass.table) AS t", rowKey: identity, order: identity,
          isByIdentity: true))
    } catch {
      throw RealmError(error, of: table.schema.className, table.context.new.oldVersion)
    }
  }

  private func predicate() throws(PredicateProblem) -> QueryPredicate {
    var operands: [QueryOperand] = []
    for argument in arguments {
      let operand = QueryOperand(argument: argument)
      guard !operand.hasObject else { throw .objectInMigration }
      operands.append(operand)
    }
    return try QueryFormat.parse(format, operands)
  }
}

extension QueryOperand {
  /// Whether the operand is or contains an object of a realm or a migration.
  fileprivate var hasObject: Bool {
    switch self {
    case .value(let value): value.isObject
    case .list(let values): values.contains(where: \.isObject)
    case .path, .subquery: false
    }
  }
}

extension QueryValue {
  fileprivate var isObject: Bool {
    switch self {
    case .object: true
    case .unsupported(let name): name == "\(DynamicObject.self)"
    default: false
    }
  }
}

extension PredicateProblem {
  /// The objects in a block are new ones, or become invalid with the row of a loop.
  fileprivate static let objectInMigration = PredicateProblem(
    "An object can't be an argument of a condition in a migration. Compare one of its properties "
      + "instead, as in \"dog.name == %@\".")
}

extension RealmError {
  fileprivate init(_ problem: PredicateProblem, of className: String, _ version: UInt64?) {
    let location =
      " (A condition for the old objects of '\(className)', which have the names and types of "
      + "version \(version ?? 0).)"
    self.init(.fail, problem.message + location, logged: problem.loggedMessage + location)
  }
}
