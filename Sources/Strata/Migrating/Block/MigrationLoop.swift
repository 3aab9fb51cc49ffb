import StrataStorage

/// Goes through the objects of a class and calls the user's closure for each.
///
/// Old rows come from a cursor on the connection that sees the file as it was; whatever the closure
/// does to the new tables doesn't disturb it. What it sets in the new object is collected, and
/// written for many rows at once.
final class MigrationLoop {
  typealias Body = (_ old: DynamicObject?, _ new: DynamicObject?) throws -> Void

  private let table: MigrationTable
  private let newTable: MigrationTable?
  private let writer: RowWriter?
  /// Which rows it goes through; nil for all of them.
  private let query: QuerySQL?
  /// The operation that the writer is busy with while it rebuilds the table.
  private var rebuild: RunningRebuild?
  /// By slots of the new side, the one of the old side that has the same value, or -1.
  let oldSlots: ContiguousArray<Int>
  /// By slots of the new side the column of ``changes``, or -1.
  @exclusivity(unchecked) private var changeColumns: ContiguousArray<Int32>
  /// Whether the new rows still have what the old ones have, apart from what this loop sets.
  @exclusivity(unchecked) private(set) var showsOldRows: Bool
  @exclusivity(unchecked) private(set) var row: Int64 = 0
  /// The number of rows from the first one that is to be written to the last one that was shown.
  @exclusivity(unchecked) private var span = 0
  /// The object that the closure has at this moment.
  @exclusivity(unchecked) private var current: Unmanaged<DynamicObject>?
  private var isFlushing = false
  let changes: RowBuffer

  init(
    old table: MigrationTable, new newTable: MigrationTable?, finding query: QuerySQL?,
    _ writer: RowWriter?, _ rebuild: RunningRebuild?, showsOldRows: Bool
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
      // Also after a mistake: the connection is about to be used.
      context.new.waitForWriter()
      monitor?.leaveLoop()
      // Also when the closure throws: it may have kept the objects.
      old.leaveLoop()
      new?.leaveLoop()
      current = nil
      context.status.attemptIfSound { try flush() }
      table.noteRead(by: reader)
      context.leave(self, rows: count)
      if isComplete, newTable != nil, query == nil {
        context.new.accounts.noteLoop(className, rows: seen)
      }
    }
    while context.status.isSound {
      guard next(reader) else {
        isComplete = context.status.isSound
        break
      }
      seen += 1
      // Those between two rows that a query finds are not shown, but are in the way of a statement.
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
        // An object is used for row after row, unless the closure kept it.
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

  /// - Parameter distance: From the row before, counted in rows of the table.
  private func finishRow(_ distance: Int) {
    if context.new.hasManyCreated { context.status.attemptIfSound(context.new.flushCreated) }
    guard changes.hasCurrent else {
      if changes.count > 0 { span &+= distance }
      return
    }
    span &+= changes.count == 0 ? 1 : distance
    changes.finish(row)
    context.notes.noteChange()
    if changes.isFull { context.status.attemptIfSound(flushInBackground) }
  }

  // MARK: Setting

  /// The column of a property in ``changes``; with the type of an `AnyRealmValue` behind it.
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

  /// What the closure has set in the current row; nil for nothing.
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

  /// Writes what was set so far, while the closure continues.
  private func flushInBackground() throws {
    guard let writer else { return }
    try suspendPrimaryKey()
    try writer.write(through: row, of: span, in: context.new.background)
    span = 0
  }

  /// Writes everything that was set so far. The rows are then in the table.
  func flush() throws {
    guard let writer, !isFlushing else { return }
    isFlushing = true
    defer { isFlushing = false }
    if changes.hasCurrent {
      span += 1
      changes.finish(row)
      context.notes.noteChange()
      // It is in the table now, not in the old row.
      current?._withUnsafeGuaranteedRef { $0.forgetOldRow() }
    }
    try suspendPrimaryKey()
    guard let rebuild else {
      defer { span = 0 }
      return try writer.write(through: row, of: span)
    }
    span = 0
    self.rebuild = nil
    try context.finish(rebuild) { try writer.finish(through: row) }
  }

  /// The new rows are no longer like the old ones.
  func forgetOldRows() {
    showsOldRows = false
    current?._withUnsafeGuaranteedRef { $0.forgetOldRow() }
  }

  /// Lets a loop over the same class change the rows: for the rest of the closure, what is set in
  /// the object is written at once, so that of both the last one stays.
  func detachCurrent() { current?._withUnsafeGuaranteedRef { $0.leaveLoop() } }

  /// The row of the current object is gone: what the closure sets from now on is a mistake.
  func markCurrentDeleted() { current?._withUnsafeGuaranteedRef { $0.markDeleted() } }

  func renameIdentity(to name: String) { writer?.identity = name }

  private func suspendPrimaryKey() throws {
    guard changes.count > 0, let key = newTable?.primaryKeySlot, changeColumns[key] >= 0 else {
      return
    }
    try context.suspendPrimaryKey(of: className)
  }
}

/// A table that is rebuilt while a loop goes through its rows.
struct RunningRebuild {
  var started: StartedRebuild
  /// What is to be done when the new table is in its place.
  var nextOperations: [TableOperation]
}
