import GRDB
import GRDBSQLite
package import StrataSchema
import Synchronization

extension OperationRunner {
  /// Renames a class, with its collections, indexes and triggers.
  ///
  /// - Throws: ``RealmError`` with code `fail` if a table has the name already, or if SQLite can't
  ///   adapt items that others added to the file.
  package func renameTable(_ className: String, to newName: String, in schema: Schema) throws {
    guard let old = schema[className] else { return }
    let start = "Cannot rename class '\(className)' to '\(newName)'"
    let catalog = try Catalog.read(db)
    let tables = RenameClassSQL.tables(of: old, to: newName)
    if let taken = tables.first(where: { catalog.hasTable($0.newName) }) {
      throw RealmError(
        .fail,
        "\(start): the file already has a table or view '\(taken.newName)'. Rename or drop that one "
          + "first, or choose another name for the class.")
    }
    do {
      for table in tables { try db.execute(sql: table.sql) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw RealmError(
        .fail,
        "\(start): a view or a trigger of another program prevents it "
          + "(\(error.message ?? "")). Drop it first and create it again after the migration.",
        underlyingError: error)
    }
    try renameIndexes(of: tables)
    let renamed = schema.renaming(className, to: newName)
    for sql in RenameClassSQL.anyValues(in: renamed, from: className, to: newName) {
      try db.execute(sql: sql)
    }
    recordColumns(of: className, renamedTo: newName, in: renamed)
  }

  /// Renames the indexes, which are named after their tables. SQLite has no statement for that.
  ///
  /// The name is only a text in the catalog, so it is changed there: creating an index again takes
  /// time for each row. If SQLite doesn't allow writing to the catalog, the index is created again.
  private func renameIndexes(of tables: [RenameClassSQL.Table]) throws {
    let items = try Catalog.readItems(db).filter { $0.type == "index" }
    let indexes = items.compactMap { item -> (name: String, new: (name: String, sql: String))? in
      let table = tables.first { SQLName.collide($0.newName, item.table) }
      guard let table, let sql = item.sql,
        let new = RenameClassSQL.index(name: item.name, sql: sql, of: table)
      else { return nil }
      return (item.name, new)
    }
    guard !indexes.isEmpty else { return }
    try db.execute(sql: "PRAGMA writable_schema = ON")
    let isWritable = try Bool.fetchOne(db, sql: "PRAGMA writable_schema") == true
    do {
      // SQLite reads the catalog again, as do all other connections: the tables have other names.
      // Without GRDB, which runs no statement after SQLite has ended the transaction.
      defer {
        sqlite3_exec(db.sqliteConnection, "PRAGMA writable_schema = RESET", nil, nil, nil)
        db.clearSchemaCache()
      }
      for (name, new) in indexes where isWritable {
        try db.execute(
          sql: "UPDATE sqlite_schema SET name = ?, sql = ? WHERE type = 'index' AND name = ?",
          arguments: [new.name, new.sql, name])
      }
    }
    for (name, new) in indexes where !isWritable {
      try db.execute(sql: "DROP INDEX \(SQLName.quote(name))")
      try db.execute(sql: new.sql)
    }
  }
}

extension OperationRunner {
  func createCollection(_ table: CollectionTable) throws {
    try takeName(of: table)
    for sql in table.statements { try db.execute(sql: sql) }
  }

  func takeName(of table: CollectionTable) throws {
    if try take(table.name) { return }
    throw RealmError(
      .fail,
      "Collection '\(table.className).\(table.property.columnName)' can't get a table: the file has a "
        + "table or view '\(table.name)', which this library didn't make. Rename one of them, or use "
        + "another file.")
  }

  package func dropCollection(_ table: CollectionTable) throws {
    try recordRestarted(in: table)
    try db.execute(sql: "DROP TABLE \(SQLName.quote(table.name))")
  }

  func rebuildCollection(from old: CollectionTable, to new: CollectionTable) throws {
    try TableDependents.checkCanBeRebuilt(old.name, db)
    let catalog = try Catalog.read(db)
    try checkHasNoExtraColumns(old, catalog)
    try TableDependents(of: old.name, catalog, db).replaceTable(
      by: RebuildCollectionSQL.statements(from: old, to: new), indexes: new.indexes.map(\.sql))
    recordRows(try db.rowCount(new.name))
  }

  private func checkHasNoExtraColumns(
    _ table: CollectionTable, _ catalog: Catalog
  ) throws(RealmError) {
    let own = Set(table.columns.map { SQLName.folded($0.name) })
    let extra = catalog.columns(of: table.name).filter { !own.contains(SQLName.folded($0.name)) }
    guard !extra.isEmpty else { return }
    let names = extra.map { "'\($0.name)'" }.joined(separator: ", ")
    throw RealmError(
      .fail,
      "Table '\(table.name)' must be rebuilt, and other programs added columns to it (\(names)). "
        + "Drop these columns first and add them again after the migration.")
  }

  /// Removes a class with all its dependent rows and tables, and the links of other classes to it.
  ///
  /// The triggers delete the rows that depend on an object.
  package func dropTable(_ className: String, in schema: Schema) throws {
    let table = SQLName.quote(className)
    if let dropped = schema[className] {
      try HelperItems.make(of: schema, in: db, hasMoreToDo: true)
      try db.execute(sql: "DELETE FROM \(table)")
      try HelperItems.dropTriggers(in: db)
      let rest = schema.removing(className)
      let list = SchemaTranslator.operations(from: schema, to: rest, phase: .noBlock) {
        _, property in
        .constant(.zero(for: property.type))
      }
      try run(list.operations)
      // Identities of a new class with the same name would begin at 1 again.
      for sql in RenameClassSQL.clearingNestedValues(in: rest, of: className) {
        try db.execute(sql: sql)
      }
      for collection in dropped.collectionTables {
        try db.execute(sql: "DROP TABLE \(SQLName.quote(collection.name))")
      }
    }
    try db.execute(sql: "DROP TABLE \(table)")
  }
}

/// Properties whose values stay in the file for older programs, and defaults for their rows.
extension OperationRunner {
  /// Returns the `DEFAULT` clauses of a class; nil for a class that the program doesn't have.
  func tableDefaults(of className: String) -> [String: String]? {
    guard let info = classes[className] else { return nil }
    return TableDefaults.of(info, primaryKey: target[className]?.primaryKey)
  }

  /// Returns the function that decides whether a removed property is retired.
  package func removals() throws -> (String, Property) -> SchemaTranslator.Removal {
    guard retiring != nil else { return { _, _ in .drop } }
    return RecordedFile([], columns: try Catalog.read(db).columns).removals(
      besides: droppedProperties)
  }

  /// Removes the values of retired properties.
  ///
  /// - Parameter physical: The schema of the file, without its retired properties.
  package func dropRetired(
    from physical: Schema, _ isDropped: (RetiredProperty) -> Bool
  ) throws {
    let dropped = record.retired.filter(isDropped)
    guard !dropped.isEmpty else { return }
    var file = SchemaRecord(physical.stored)
    file.retired = dropped
    let before = file.schemaWithRetired
    for schema in before.objectSchema { recordColumns(schema) }
    record.retired.removeAll(where: dropped.contains)
    let list = SchemaTranslator.operations(from: before, to: file.schema, phase: .noBlock) {
      _, property in .constant(.zero(for: property.type))
    }
    try run(list.operations)
    let schema = withRetired(physical)
    let children = Set(dropped.compactMap(\.property.objectClassName))
    for target in schema.embeddedClasses where children.contains(target.className) {
      try EmbeddedConversion(db: db, schema: schema, target: target, choice: EmbeddingChoice())
        .deleteOrphans()
    }
  }

  /// Returns classes of the file with their retired properties, whose values older programs use.
  package func withRetired(_ physical: Schema) -> Schema {
    var file = record
    file.schema = physical.stored
    return file.schemaWithRetired
  }
}

/// The values that are lost because their property gets another type.
extension OperationRunner {
  /// Counts the values that a rebuild doesn't copy.
  func recordRestarted(in rebuild: TableRebuild) throws {
    let columns = Set(
      try Catalog.columns(of: rebuild.table, db).map { SQLName.folded($0.name) })
    let given = rebuild.columns.filter { column in
      guard case .value = column.source else { return false }
      return columns.contains(SQLName.folded(column.property.columnName))
    }
    let kept = rebuild.columns.map(\.property.columnName)
    let left = (target[rebuild.table]?.properties ?? []).filter { property in
      columns.contains(SQLName.folded(property.columnName)) && !kept.contains(property.columnName)
    }
    for column in given { try count(rebuild.table, column.property.columnName) }
    for property in left { try recordRestarted(rebuild.table, property.columnName) }
  }

  /// Counts the values of a removed column, if the property has become a collection.
  func recordRestarted(_ table: String, _ column: String) throws {
    guard target[table]?.property(column: column)?.collection != nil else { return }
    try count(table, column)
  }

  private func count(_ table: String, _ column: String) throws {
    let sql = "SELECT count(\(SQLName.quote(column))) FROM \(SQLName.quote(table))"
    recordRestarted("\(table).\(column)", values: try Int.fetchOne(db, sql: sql) ?? 0)
  }

  /// Counts the elements of a removed collection, if the property has another type now.
  private func recordRestarted(in table: CollectionTable) throws {
    let column = table.property.columnName
    let target = target[table.className]?.property(column: column)
    guard let target, target.typeName != table.property.typeName else { return }
    recordRestarted("\(table.className).\(column)", values: try db.rowCount(table.name))
  }
}

/// A property, with the expression for its new value.
package struct TransformedColumn {
  package var property: Property
  package var value: TransformCompiler.Result

  package init(property: Property, value: TransformCompiler.Result) {
    self.property = property
    self.value = value
  }
}

extension OperationRunner {
  /// The number of values that an error names, and of rows for each.
  private static let named = 10

  /// Runs operations that compute columns of a table.
  ///
  /// - Parameter schema: The class before the operations.
  package func run(
    _ operations: [TableOperation], computing columns: [TransformedColumn], of schema: ObjectSchema
  ) throws {
    let functions = ExpressionFunctions()
    let needsFunctions = columns.contains(where: \.value.needsFunctions)
    if needsFunctions { functions.add(to: db) }
    defer { if needsFunctions { functions.remove(from: db) } }
    do {
      try run(operations)
    } catch let error as RealmError {
      if functions.takeFailure() != nil { try explain(functions, columns, schema) }
      if let cause = error.underlyingError as? DatabaseError,
        cause.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL
      {
        try explainNulls(columns, schema)
      }
      throw error
    }
  }

  /// Computes the columns one by one, to find the one that fails.
  private func explain(
    _ functions: ExpressionFunctions, _ columns: [TransformedColumn], _ schema: ObjectSchema
  ) throws {
    for column in columns {
      do {
        _ = try Int.fetchOne(
          db, sql: "SELECT count(\(column.value.sql)) FROM \(SQLName.quote(schema.className))")
      } catch {
        guard let failure = functions.takeFailure() else { throw error }
        throw RealmError(
          .fail,
          "Cannot transform '\(schema.className).\(column.property.name)': \(failure.text). Give "
            + "a value for this case with '.when', or use 'enumerateObjects'.",
          underlyingError: error)
      }
    }
  }

  private func explainNulls(_ columns: [TransformedColumn], _ schema: ObjectSchema) throws {
    let table = SQLName.quote(schema.className)
    for column in columns where !column.property.isNullable {
      let condition = "FROM \(table) WHERE (\(column.value.sql)) IS NULL"
      let count = try Int.fetchOne(db, sql: "SELECT count(*) \(condition)") ?? 0
      guard count > 0 else { continue }
      // A column with the future name of the identity may exist already.
      let identity = try identityColumn(of: schema.className)
      let rows = try Int64.fetchAll(
        db,
        sql: "SELECT \(SQLName.quote(identity)) \(condition) ORDER BY 1 LIMIT \(Self.named)")
      throw RealmError(
        .fail,
        "Cannot transform '\(schema.className).\(column.property.name)': it is required, and "
          + "becomes nil for \(count) \(count == 1 ? "object" : "objects") (\(identity) "
          + "\(rows.listed(of: count))). Give a value for nil with '??', or make "
          + "the property optional.")
    }
  }

  /// Sets columns of all rows, or of the rows for which an SQL condition is true.
  package func setColumns(
    _ columns: [TableRebuild.Column], of table: String, where condition: String?
  ) throws {
    try db.execute(sql: TableSQL.setColumns(table, columns, where: condition))
    recordRows(db.changesCount)
    recordTransformed(table, db.changesCount)
  }
}

/// The functions for expressions, on a connection.
final class ExpressionFunctions: Sendable {
  private let failure = Mutex<TransformFunction.Failure?>(nil)

  private var functions: [DatabaseFunction] {
    TransformFunction.all.map { function in
      DatabaseFunction(
        function.name, argumentCount: function.argumentCount, pure: true
      ) { arguments in
        do throws(TransformFunction.Failure) {
          return try function.value(arguments.map { StoredValue($0) }).forDatabase
        } catch {
          self.failure.withLock { $0 = error }
          throw DatabaseError(message: error.text)
        }
      }
    }
  }

  func add(to db: Database) {
    for function in functions { db.add(function: function) }
  }

  func remove(from db: Database) {
    for function in functions { db.remove(function: function) }
  }

  /// Returns the last failure since the previous call; nil if missing.
  func takeFailure() -> TransformFunction.Failure? { failure.withLock { $0.take() } }
}
