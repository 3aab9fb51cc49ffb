package import GRDB
package import StrataSchema

/// The runner of operations on a connection, inside its open transaction.
package final class OperationRunner {
  package let db: Database
  let target: Schema
  let classes: [String: any ModelClass]
  /// All columns that a class has, had or gets. Other columns of a table belong to other programs.
  private var ownColumns: [String: Set<String>] = [:]
  package private(set) var report: MigrationReport.Stage
  package let accounts = RowAccounts()
  /// The names of tables and views, folded as SQLite compares them, while tables are created one
  /// after the other.
  var takenNames: Set<String>?
  /// Notified of the rows that operations work on.
  package var monitor: MigrationMonitor?
  /// The facts for older programs after the operations so far, besides the schema.
  package var record = SchemaRecord(Schema())
  /// The version since which removed properties are retired; nil to remove their values.
  package var retiring: UInt64?
  /// The properties that are dropped even then, as `Person.age`.
  package var droppedProperties: Set<String> = []
  /// The handling of objects that can't be embedded as they are; without a choice they are an
  /// error.
  package var embeddingChoices: [String: EmbeddingChoice] = [:]

  package init(
    _ db: Database, target: Schema, classes: [String: any ModelClass], file: Schema,
    report: MigrationReport.Stage
  ) {
    self.db = db
    self.target = target.stored
    self.classes = classes
    self.report = report
    for schema in file.objectSchema + target.objectSchema { recordColumns(schema) }
  }

  func recordColumns(_ schema: ObjectSchema) {
    var columns = schema.properties.flatMap(\.columns).map { SQLName.folded($0.name) }
    columns.append(SQLName.folded(schema.identityColumn))
    ownColumns[schema.className, default: []].formUnion(columns)
  }

  /// Records that a class was renamed, so that its columns are not treated as columns of others.
  func recordColumns(of table: String, renamedTo new: String, in schema: Schema) {
    for name in [table, new] {
      ownColumns[name] = nil
      for schema in [schema[name], target[name]].compactMap(\.self) { recordColumns(schema) }
    }
  }

  package func recordRows(_ count: Int) { report.rows += count }

  func recordRestarted(_ property: String, values: Int) {
    if values > 0 { report.restarted.append(.init(property: property, values: values)) }
  }

  func recordTransformed(_ className: String, _ count: Int) {
    report.recordTransformed(className, count)
  }

  /// Runs operations in their order.
  ///
  /// Drops the triggers if an operation can't run with them. The caller creates them again: see
  /// ``HelperItems``.
  package func run(_ operations: [TableOperation]) throws {
    takenNames = nil
    for operation in operations {
      try begin(operation)
      try naming(operation, number: report.operations.count) { try carryOut(operation) }
    }
  }

  private func begin(_ operation: TableOperation) throws {
    report.operations.append(operation.description)
    record.add(operation, version: report.to, tableDefaults: tableDefaults)
    if operation.requiresDroppedTriggers {
      try naming(operation, number: report.operations.count) {
        try HelperItems.dropTriggers(in: db)
      }
    }
  }

  /// Runs the work of an operation, and names the operation in its error.
  private func naming<Value>(
    _ operation: TableOperation, number: Int, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError {
      let cause = RealmError(error, at: db.fileURL)
      throw RealmError(
        cause.code,
        "Operation \(number) of the migration failed (\(operation)): \(cause.message)",
        fileURL: cause.fileURL, underlyingError: error)
    }
  }

  private func carryOut(_ operation: TableOperation) throws {
    switch operation {
    case .createTable, .createCollection: break
    default: takenNames = nil
    }
    switch operation {
    case .createTable(let schema):
      try createTable(schema)
    case .addColumn(let table, let property, let value):
      try addColumn(table, property, value)
    case .rebuildTable(let rebuild):
      try recordRestarted(in: rebuild)
      let rebuilder = try rebuilder(rebuild)
      try monitor?.begin(
        rebuild.table, identity: rebuild.sourceIdentityColumn, isCopied: true, db)
      try rebuilder.copy()
      monitor?.end()
      report.rows += db.changesCount
      try rebuilder.finish()
    case .fillColumns(let table, let properties, let onlyNull):
      try fill(table, properties, onlyNull: onlyNull)
    case .dropColumn(let table, let column):
      // SQLite rewrites each row without the column.
      monitor?.recordWork(on: table)
      try recordRestarted(table, column)
      try dropHelperIndexes(table, column)
      try db.execute(
        sql: "ALTER TABLE \(SQLName.quote(table)) DROP COLUMN \(SQLName.quote(column))")
    case .retire: break
    case .renameColumn(let table, let old, let new):
      report.recordRename(ofProperty: old, of: table, to: new)
      // The indexes are named after the column.
      try dropHelperIndexes(table, old)
      try db.execute(
        sql: """
          ALTER TABLE \(SQLName.quote(table))
          RENAME COLUMN \(SQLName.quote(old)) TO \(SQLName.quote(new))
          """)
    case .createIndex(let table, let columns):
      try db.execute(sql: IndexSQL.create(table: table, columns: columns))
    case .dropIndex(let table, let columns):
      try db.execute(sql: IndexSQL.drop(table: table, columns: columns))
    // The index is created with the triggers, which come last.
    case .createTextIndex: break
    case .dropTextIndex(let table, let column): try dropTextIndex(table, column)
    case .createPrimaryKey(let table, let property):
      monitor?.recordWork(on: table)
      let identity = try identityColumn(of: table)
      try PrimaryKeyCheck(db: db, table: table, property: property, identity: identity)
        .createIndexes()
    case .dropPrimaryKey(let table, let column):
      for sql in IndexSQL.dropPrimaryKey(table: table, column: column) { try db.execute(sql: sql) }
    case .createCollection(let table):
      try createCollection(table)
    case .dropCollection(let table):
      try dropCollection(table)
    case .createElementsIndex(let table):
      if let index = table.elementsIndex { try db.execute(sql: index.sql) }
    case .dropElementsIndex(let table):
      let name = IndexSQL.elementsName(table: table.name)
      try db.execute(sql: "DROP INDEX IF EXISTS \(SQLName.quote(name))")
    case .renameCollection(let old, let new):
      let names = (old: old.property.columnName, new: new.property.columnName)
      if names.old != names.new {
        report.recordRename(ofProperty: names.old, of: old.className, to: names.new)
      }
      for sql in RebuildCollectionSQL.rename(old, to: new) { try db.execute(sql: sql) }
    case .rebuildCollection(let old, let new):
      monitor?.recordWork(on: old.className)
      try rebuildCollection(from: old, to: new)
    case .changeKind(let name, let toEmbedded, let schema):
      guard toEmbedded, let target = schema[name] else { return }
      monitor?.recordWork(on: name)
      let copies = try EmbeddedConversion(
        db: db, schema: schema, target: target, choice: embeddingChoices[name] ?? EmbeddingChoice()
      ).run()
      accounts.recordCreated(name, rows: copies)
    case .dropTable(let table, let schema):
      try dropRetired(from: schema) {
        $0.className == table || $0.property.objectClassName == table
      }
      try dropTable(table, in: schema)
      try OlderWrites.rename(table, to: nil, db)
      report.droppedClasses.append(table)
    case .renameTable(let table, let new, let schema):
      try renameTable(table, to: new, in: schema)
      try OlderWrites.rename(table, to: new, db)
      report.recordRename(ofClass: table, to: new)
    case .setColumns(let table, let columns, let condition):
      monitor?.recordWork(on: table)
      try setColumns(columns, of: table, where: condition)
    }
  }

  /// Runs the operations up to a rebuild, and creates its new table, into which the caller copies
  /// the rows.
  package func start(_ pass: OnePassRebuild) throws -> StartedRebuild {
    try run(pass.operationsBefore)
    let operation = TableOperation.rebuildTable(pass.rebuild)
    try begin(operation)
    let number = report.operations.count
    return try naming(operation, number: number) {
      try recordRestarted(in: pass.rebuild)
      accounts.recordRebuilt(pass.rebuild.table)
      return StartedRebuild(
        rebuilder: try rebuilder(pass.rebuild), operation: operation, number: number,
        nextOperations: pass.operationsAfter)
    }
  }

  /// Finishes a rebuild whose rows a closure copies, and runs the operations after it.
  package func finish(_ started: StartedRebuild, _ body: () throws -> Void) throws {
    try naming(started.operation, number: started.number, body)
    try run(started.nextOperations)
  }

  private func rebuilder(_ rebuild: TableRebuild) throws -> TableRebuilder {
    try TableRebuilder(
      db: db, rebuild: rebuild, ownColumns: ownColumns[rebuild.table, default: []],
      defaults: tableDefaults(of: rebuild.table),
      retired: record.retired.filter { $0.className == rebuild.table }.map(\.property))
  }

  // MARK: Filling columns

  private static let rowsAtOnce = 1_000

  /// Evaluates the model's defaults for each row.
  private func fill(_ table: String, _ properties: [Property], onlyNull: Bool) throws {
    guard let info = classes[table] else { return }
    let slots = properties.compactMap { info.slot(column: $0.columnName) }
    let identity = SQLName.quote(try identityColumn(of: table))
    let columns = properties.map { SQLName.quote($0.columnName) }
    let assignments = columns.map { onlyNull ? "\($0) = coalesce(\($0), ?)" : "\($0) = ?" }
    let condition =
      onlyNull ? "AND (" + columns.map { "\($0) IS NULL" }.joined(separator: " OR ") + ")" : ""
    let select = """
      SELECT \(identity) FROM \(SQLName.quote(table)) WHERE \(identity) > ? \(condition)
      ORDER BY \(identity) LIMIT \(Self.rowsAtOnce)
      """
    let update = try db.makeStatement(
      sql: """
        UPDATE \(SQLName.quote(table)) SET \(assignments.joined(separator: ", "))
        WHERE \(identity) = ?
        """)
    try monitor?.begin(table, identity: identity, isCopied: false, db)
    defer { monitor?.end() }
    var last = Int64.min
    var done = 0
    while true {
      let rows = try Int64.fetchAll(db, sql: select, arguments: [last])
      for row in rows {
        let values = try info.defaultValues(slots)
        for (index, value) in values.enumerated() {
          try update.bindRaw(value, at: Int32(index + 1))
        }
        update.bindRaw(row, at: Int32(values.count + 1))
        _ = try update.stepRaw()
      }
      report.rows += rows.count
      done += rows.count
      try monitor?.advance(to: done)
      guard let next = rows.last, rows.count == Self.rowsAtOnce else { return }
      last = next
    }
  }

  /// Returns the present name of the identity, which may differ before and after.
  package func identityColumn(of table: String) throws -> String {
    let key = try Catalog.columns(of: table, db).first(where: \.isPrimaryKey)
    return key?.name ?? "_id"
  }
}

/// A rebuild whose rows the caller copies.
package struct StartedRebuild {
  package let rebuilder: TableRebuilder
  fileprivate let operation: TableOperation
  fileprivate let number: Int
  /// The operations that follow when the new table has replaced the old one.
  fileprivate let nextOperations: [TableOperation]
}

extension OperationRunner {
  /// Renames tables of collections whose names are needed by classes of the program. Returns the
  /// schema of the file afterwards.
  package func makeRoom(in physical: Schema, for target: Schema) throws -> Schema {
    let list = SchemaTranslator.operationsResolvingNameConflicts(in: physical, for: target)
    try run(list.operations)
    return list.schema
  }

  /// Makes the changes of one phase. Returns the schema of the file afterwards.
  package func change(
    _ physical: Schema, to target: Schema, phase: SchemaTranslator.Phase
  ) throws -> Schema {
    try dropRetired(from: physical) { retired in
      target.stored[retired.className].map { retired.conflicts(with: $0) } ?? false
    }
    let changes = SchemaDiff.changes(from: physical, to: target)
    let defaults = try ModelDefaults(of: changes, classes)
    let list = SchemaTranslator.operations(
      from: physical, to: target, phase: phase, removal: try removals(),
      defaults: defaults.value)
    try run(list.operations)
    return list.schema
  }
}

extension OperationRunner {
  /// Drops the full-text index of a column, with its triggers.
  func dropTextIndex(_ table: String, _ column: String) throws {
    let index = TextTable(className: table, column: column, identity: "")
    for trigger in index.triggers {
      try db.execute(sql: "DROP TRIGGER IF EXISTS \(SQLName.quote(trigger.name))")
    }
    try db.execute(sql: "DROP TABLE IF EXISTS \(SQLName.quote(index.name))")
  }

  /// Drops the helper indexes of a column that is removed or renamed.
  func dropHelperIndexes(_ table: String, _ column: String) throws {
    let names = [
      IndexSQL.linkName(table: table, column: column), IndexSQL.name(table: table, column: column),
    ]
    for name in names {
      let columns = try String.fetchAll(
        db,
        sql: """
          SELECT i.name FROM sqlite_schema AS m JOIN pragma_index_info(m.name) AS i
          WHERE m.type = 'index' AND m.name = ? AND m.sql LIKE 'CREATE INDEX %'
          """, arguments: [name])
      guard columns.map(SQLName.folded) == [SQLName.folded(column)] else { continue }
      try db.execute(sql: "DROP INDEX \(SQLName.quote(name))")
    }
  }
}

extension OperationRunner {
  package func createTable(_ schema: ObjectSchema) throws {
    guard try take(schema.className) else {
      throw RealmError(
        .fail,
        "Class '\(schema.className)' can't get a table: the file has a table or view of that name, "
          + "which this library didn't make. Rename one of them, or use another file.")
    }
    for table in schema.collectionTables { try takeName(of: table) }
    let defaults = tableDefaults(of: schema.className) ?? [:]
    for sql in TableSQL.createAll(schema, defaults: defaults) { try db.execute(sql: sql) }
  }

  /// Reserves a name. Returns false if it is taken already.
  package func take(_ name: String) throws -> Bool {
    if takenNames == nil {
      let sql = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
      takenNames = Set(try String.fetchAll(db, sql: sql).map(SQLName.folded))
    }
    return takenNames?.insert(SQLName.folded(name)).inserted == true
  }

  /// Adds the column of a property, or both columns of an `AnyRealmValue`.
  func addColumn(_ table: String, _ property: Property, _ value: ColumnDefault) throws {
    let statements = TableSQL.addColumn(table: table, property: property, default: value)
    for (sql, column) in zip(statements, property.columns.indices) {
      do {
        try db.execute(sql: sql)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // Checked only after a failure: reading all columns takes a third of the time of adding
        // one.
        try checkAreFree(property.columns[column...].map(\.name), table, property)
        throw error
      }
    }
  }

  private func checkAreFree(_ names: [String], _ table: String, _ property: Property) throws {
    let names = names.map { SQLName.folded($0) }
    let present = try Catalog.columns(of: table, db).first {
      names.contains(SQLName.folded($0.name))
    }
    guard let present else { return }
    throw RealmError(
      .fail,
      "Property '\(table).\(property.name)' can't get a column: another program added a column "
        + "'\(present.name)' to the table. Rename or drop that column.")
  }
}
