import GRDB

/// Goes through the objects of a class and calls the user's closure for each.
struct MigrationLoop {
  typealias Body = (_ old: DynamicObject?, _ new: DynamicObject?) throws -> Void

  private let context: MigrationContext

  init(_ context: MigrationContext) {
    self.context = context
  }

  /// Old rows come from a cursor on the connection that sees the file as it was; whatever the
  /// closure does to the new tables doesn't disturb it.
  func run(old table: MigrationTable, new newTable: MigrationTable?, _ body: Body) rethrows {
    let statement = context.attempt {
      try context.old.makeStatement(sql: "\(table.select) ORDER BY \(table.identity)")
    }
    guard let statement else { return }
    defer { statement.resetRaw() }
    let pointer = statement.sqliteStatement
    var old = DynamicObject(table, row: 0, statement: pointer)
    var new = newTable.map { DynamicObject($0, row: 0) }
    // Also when the closure throws: it may have kept the object, and the statement ends here.
    defer { old.detach() }
    while context.error == nil, context.attempt({ try statement.stepRaw() }) == true {
      let row = statement.int64(0)
      if newTable != nil, context.isDeleted(row, of: table.className) { continue }
      // An object is used for row after row, unless the closure kept it.
      if !isKnownUniquelyReferenced(&old) {
        old = DynamicObject(table, row: row, statement: pointer)
      }
      if new != nil, !isKnownUniquelyReferenced(&new), let newTable {
        new = DynamicObject(newTable, row: row)
      }
      old.move(to: row)
      new?.move(to: row)
      try call(body, old, new)
      if !isKnownUniquelyReferenced(&old) { old.detach() }
    }
  }

  /// New classes: the objects that were created before the loop began.
  func run(new table: MigrationTable, _ body: Body) rethrows {
    let rows = context.attempt {
      try Int64.fetchAll(
        context.new,
        sql: "SELECT \(table.identity) FROM \(table.name) ORDER BY \(table.identity)")
    }
    for row in rows ?? [] {
      if context.error != nil { return }
      if context.isDeleted(row, of: table.className) { continue }
      try call(body, nil, DynamicObject(table, row: row))
    }
  }

  private func call(_ body: Body, _ old: DynamicObject?, _ new: DynamicObject?) rethrows {
    context.runner.noteRows(1)
    guard let new else { return try body(old, nil) }
    context.enterLoop(new)
    new.isInLoop = true
    defer {
      context.leaveLoop()
      new.isInLoop = false
      if new.hasChanges { context.write(new) }
    }
    try body(old, new)
  }
}
