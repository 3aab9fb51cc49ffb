import GRDB
import StrataSchema
import StrataStorage

/// A copier of the schema and the rows of the attached database `original` into its twin.
struct TwinCopier {
  let db: Database
  let state: FileState
  let tables: [TwinTable]
  let functions: TwinFunctions
  var contents = TwinFile.Contents()
  /// The folded names of the tables and views that exist in the twin.
  var createdTables: Set<String> = []

  private struct Item {
    var type: String
    var name: String
    var table: String
    var sql: String
  }

  /// Copies everything in one transaction.
  mutating func copy() throws -> TwinFile.Contents {
    var result = TwinFile.Contents()
    try db.inTransaction(.immediate) {
      let items = try readItems()
      try makeTables(items)
      try collect()
      try fill()
      try beginHistory()
      try setSequences()
      for type in ["index", "view", "trigger"] {
        for item in items where item.type == type { try make(item) }
      }
      try makeTextTables()
      try copyStatistics()
      result = contents
      return .commit
    }
    result.version = state.version ?? 0
    result.changedValues = functions.changedCount
    return result
  }

  private func readItems() throws -> [Item] {
    let sql = """
      SELECT type, name, tbl_name, sql FROM original.sqlite_schema
      WHERE sql IS NOT NULL ORDER BY rowid
      """
    return try Row.fetchAll(db, sql: sql).map {
      Item(type: $0[0], name: $0[1], table: $0[2], sql: $0[3])
    }
  }

  /// Executes an item's SQL, which must be a single `CREATE` statement: the file may come from
  /// anyone, and its schema may contain any text.
  private func execute(_ item: Item) throws {
    guard item.sql.hasPrefix("CREATE ") else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "the SQL of \(item.type) '\(item.name)' is not a CREATE statement")
    }
    try db.makeStatement(sql: item.sql).execute()
  }

  // MARK: Tables

  private mutating func makeTables(_ items: [Item]) throws {
    let sql = "SELECT name, type FROM pragma_table_list WHERE schema = 'original'"
    var types: [String: String] = [:]
    for row in try Row.fetchAll(db, sql: sql) { types[row[0]] = row[1] }
    let texts = Set(state.schemaWithRetired.textTables.map { $0.create })
    var own = Set(tables.map { SQLName.folded($0.name) })
    own.formUnion(HistoryTable.all)
    for item in items where item.type == "table" && !item.name.hasPrefix("sqlite_") {
      // Full-text indexes are created at the end, and SQLite creates their shadow tables.
      if texts.contains(item.sql) || types[item.name] == "shadow" { continue }
      // The first opening gives the twin an origin of its own.
      if SQLName.folded(item.name) == FileOrigins.name { continue }
      let isOwn = own.contains(SQLName.folded(item.name))
      if types[item.name] == "virtual" {
        contents.leftOut.append("table '\(item.name)'")
        continue
      }
      do {
        try execute(item)
        createdTables.insert(SQLName.folded(item.name))
        if !isOwn { contents.emptyTables.append(item.name) }
      } catch let error as DatabaseError where !isOwn && error.resultCode == .SQLITE_ERROR {
        contents.leftOut.append("table '\(item.name)'")
      }
    }
  }

  /// Passes all original values to the functions, so that the twin contains none of them.
  private mutating func collect() throws {
    functions.values.isCollecting = true
    defer { functions.values.isCollecting = false }
    for table in tables {
      let rows = try db.once(table.collecting) { statement in
        try statement.stepRaw() ? statement.int64(0) : 0
      }
      guard table.isClass else { continue }
      contents.classes += 1
      contents.objects += Int(rows)
    }
  }

  private func fill() throws {
    for table in tables where !table.columns.isEmpty {
      do {
        try db.once(table.filling) { _ = try $0.stepRaw() }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        throw constraint(error, "the table '\(table.name)'")
      }
    }
  }

  /// Copies the settings of a history, and inserts its first entry, as if the history had just
  /// begun.
  private func beginHistory() throws {
    guard createdTables.isSuperset(of: HistoryTable.all) else { return }
    try db.execute(
      sql: """
        INSERT INTO main.strata_history_settings (id, settings)
        SELECT id, settings FROM original.strata_history_settings;
        INSERT INTO main.strata_history (position, mark, at, kind, schema_version, changes)
        SELECT 1, \(functions.values.secret.historyMark),
          \(TwinFunctions.value)(at, \(TwinTable.number(of: .date))),
          '\(HistoryTable.Kind.began.rawValue)', \(Int64(bitPattern: state.version ?? 0)), '[]'
        FROM (SELECT max(at) AS at FROM original.strata_history) WHERE at IS NOT NULL
        """)
  }

  /// Copies the greatest identity ever assigned in each class, so that the twin reuses no identity.
  private func setSequences() throws {
    let name = "sqlite_schema WHERE name = 'sqlite_sequence'"
    let sql = "SELECT 1 FROM original.\(name) INTERSECT SELECT 1 FROM main.\(name)"
    guard try Bool.fetchOne(db, sql: sql) == true else { return }
    let names = tables.map { StoredValue.text($0.name).sqlLiteral }.joined(separator: ", ")
    try db.execute(
      sql: """
        DELETE FROM main.sqlite_sequence;
        INSERT INTO main.sqlite_sequence (name, seq)
        SELECT name, seq FROM original.sqlite_sequence WHERE name IN (\(names))
        """)
  }

  // MARK: Other items

  /// Creates an index, a view or a trigger.
  private mutating func make(_ item: Item) throws {
    let place = SQLName.folded(item.table)
    guard item.type == "view" || createdTables.contains(place) else { return }
    do {
      try execute(item)
      if item.type == "view" { createdTables.insert(SQLName.folded(item.name)) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // The item uses functions or collations that only another program defines.
      contents.leftOut.append("\(item.type) '\(item.name)'")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw constraint(error, "the index '\(item.name)'")
    }
  }

  /// Creates the full-text indexes, and reads the new texts.
  private func makeTextTables() throws {
    let present = try Set(
      String.fetchAll(db, sql: "SELECT sql FROM original.sqlite_schema WHERE type = 'table'"))
    for table in state.schemaWithRetired.textTables where present.contains(table.create) {
      try db.execute(sql: table.create)
      try db.execute(sql: table.rebuild)
    }
  }

  /// Copies the statistics of SQLite's query planner from `sqlite_stat1`, which contains no values
  /// of rows.
  private func copyStatistics() throws {
    let sql = "SELECT 1 FROM original.sqlite_schema WHERE name = 'sqlite_stat1'"
    guard try Bool.fetchOne(db, sql: sql) == true else { return }
    let names = tables.map { StoredValue.text($0.name).sqlLiteral }.joined(separator: ", ")
    // Creates the table `sqlite_stat1` without analyzing other tables.
    try db.execute(sql: "ANALYZE main.sqlite_master")
    try db.execute(
      sql: """
        DELETE FROM main.sqlite_stat1;
        INSERT INTO main.sqlite_stat1 (tbl, idx, stat)
        SELECT tbl, idx, stat FROM original.sqlite_stat1 WHERE tbl IN (\(names))
        """)
  }

  private func constraint(_ error: DatabaseError, _ place: String) -> CommandFailure {
    CommandFailure(
      .data,
      "Two new values are the same for \(place) (\(error.message ?? "a constraint")), which another program "
        + "may have changed. Run the command again: each secret gives other values.")
  }
}
