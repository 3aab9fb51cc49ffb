import StrataStorage

/// The implementation of `transform`: sets properties of a class to the values of expressions.
struct ClassTransform {
  let context: MigrationContext
  /// The class's name in the program.
  let name: String
  let assignments: [TransformAssignment]
  /// The condition on the objects; nil for all objects.
  var condition: MigrationCondition?

  private var classes: BlockClasses { context.classes }

  /// Checks that the given model classes match the two sides.
  func check(_ type: ObjectBase.Type, from oldName: String) throws(RealmError) {
    if let info = classes.discovered.classes[name], info.type != type {
      throw refusal(
        "the program has another class of that name in its configuration. Use that one on the "
          + "right.")
    }
    guard classes.newSchema[name] != nil,
      classes.start[name] == nil || context.oldTable(oldName) !== context.oldTable(name)
    else { return }
    throw refusal(
      SQLName.same(oldName, name)
        ? noClass
        : "it is another class than '\(oldName)' of the file. Call "
          + "'renameClass(from: \"\(oldName)\", to: \"\(name)\")' before.")
  }

  func run() throws {
    guard let target = classes.newSchema[name] else {
      throw refusal(
        "it is not a class of the program. It has: \(BlockClasses.names(classes.newSchema)).")
    }
    guard classes.start[name] != nil, let before = classes.physical[name] else {
      throw refusal(noClass)
    }
    guard !classes.prepared.contains(name), isUntouched(before),
      !context.new.isLooping(over: name)
    else {
      throw refusal(
        "the block has used the class before. Call 'transform', once, before anything else that "
          + "touches it.")
    }
    let values = try compile(TransformCompiler(before), target)
    guard !values.isEmpty else { return }
    // Several objects may have the same key until the block ends.
    if values.contains(where: { $0.property.columnName == before.primaryKey }) {
      try context.suspendPrimaryKey(of: name)
    }
    let rows = try condition.map { try context.recordRows(of: name, where: $0) }
    try write(values, to: target, rows)
    try rows?.cleanUp()
    context.notes.recordChange()
    context.touch(name)
  }

  /// Returns whether a class still has the properties with which the block began. The names of
  /// collection tables may differ.
  private func isUntouched(_ before: ObjectSchema) -> Bool {
    guard let start = classes.start[name] else { return false }
    return SchemaDiff.changes(from: Schema([before]), to: Schema([start])).isEmpty
  }

  private func refusal(_ reason: String, property: String? = nil) -> RealmError {
    RealmError(
      .fail, "Cannot transform '\(name)\(property.map { ".\($0)" } ?? "")': \(reason)")
  }

  private var noClass: String {
    "the file has no such class. It has: \(BlockClasses.names(classes.start)). Call 'renameClass' "
      + "before if it has another name."
  }

  private func compile(
    _ compiler: TransformCompiler, _ target: ObjectSchema
  ) throws(RealmError) -> [TransformedColumn] {
    var values: [TransformedColumn] = []
    for assignment in assignments {
      guard !assignment.property.isEmpty else {
        throw refusal(
          "the closure sets a property of the new class that is not '@Persisted'. Set the "
            + "persisted properties from which it is computed.")
      }
      let property = try target.existing(assignment.property)
      do {
        let result = try compiler.compile(assignment.expression, for: property)
        // The last assignment wins.
        values.removeAll { $0.property.name == property.name }
        values.append(TransformedColumn(property: property, value: result))
      } catch {
        throw refusal(error.description, property: property.name)
      }
    }
    return values
  }

  // MARK: Writing

  /// Computes the values during the rebuild, if the table has to be rebuilt; otherwise updates the
  /// columns in place.
  private func write(
    _ values: [TransformedColumn], to target: ObjectSchema, _ rows: NotedRows?
  ) throws {
    guard let before = classes.physical[name] else { return }
    let read = assignments.reduce(into: Set<String>()) { $0.formUnion($1.expression.columns) }
    let whole = try operations(.duringLoop, before, target, values)
    let pass = whole.onePassRebuild(of: before)
    let list = try pass == nil ? operations(.beforeBlock, before, target, values) : whole
    try check(list, read)
    if rows != nil { try checkOthers(list, values) }
    context.notes.recordCarried(read, of: name)
    classes.prepared.insert(name)
    if let pass { classes.removed[name] = pass.removed }
    let condition = rows.map {
      "\(SQLName.quote(name)).\(list.identity(of: name, before)) IN (\($0.sql))"
    }
    try context.new.flushForOperations().run(
      list.setting(values, of: name, where: condition),
      computing: values.map { $0.limited(to: condition) }, of: before)
    for schema in list.schema.objectSchema { classes.physical.update(schema) }
  }

  private func operations(
    _ phase: SchemaTranslator.Phase, _ before: ObjectSchema, _ target: ObjectSchema,
    _ values: [TransformedColumn]
  ) throws -> OperationList {
    let defaults = try classes.makeDefaults()
    return SchemaTranslator.operations(
      from: Schema([before]), to: Schema([target]), phase: phase,
      removal: try context.new.removals()
    ) { name, property in
      // If each object gets a value, the default of the property is not needed.
      condition == nil
        && values.contains { SQLName.same($0.property.columnName, property.columnName) }
        ? .constant(.zero(for: property.type)) : defaults.value(name, property)
    }
  }

  /// Checks the defaults of the objects that don't meet the condition.
  ///
  /// - Throws: ``RealmError`` with code `fail` if such a default would overwrite the values of
  ///   other objects.
  private func checkOthers(
    _ list: OperationList, _ values: [TransformedColumn]
  ) throws(RealmError) {
    for operation in list.operations {
      guard case .fillColumns(_, let properties, _) = operation,
        let property = properties.first(where: { property in
          values.contains { SQLName.same($0.property.columnName, property.columnName) }
        })
      else { continue }
      throw refusal(
        "its default differs for each object, and the objects that don't meet the condition need a "
          + "default. Set it in 'enumerateObjects', or for all objects in a 'transform' without a "
          + "condition.", property: property.name)
    }
  }

  /// Checks that no column is changed or dropped before it is read.
  private func check(_ list: OperationList, _ read: Set<String>) throws(RealmError) {
    for operation in list.operations {
      guard case .fillColumns(_, let properties, onlyNull: true) = operation,
        let property = properties.first(where: { read.contains($0.columnName) })
      else { continue }
      throw refusal(
        "'\(property.columnName)' is read, and gets a default for each object that has none. Set it "
          + "in the same 'transform' as well.")
    }
    guard list.rebuild == nil, let schema = list.schema[name] else { return }
    let columns = Set(schema.properties.flatMap(\.columns).map { SQLName.folded($0.name) })
    if let missing = read.sorted().first(where: { !columns.contains(SQLName.folded($0)) }) {
      throw refusal(
        "'\(missing)' is read, and its column must be removed before. Use 'enumerateObjects' for it."
      )
    }
  }
}

/// A property by its Swift name, with the expression of its new value.
struct TransformAssignment {
  var property: String
  var expression: TransformExpression
}

extension OperationList {
  /// The operation that rebuilds the table; at most one per class.
  fileprivate var rebuild: TableRebuild? {
    for case .rebuildTable(let rebuild) in operations { return rebuild }
    return nil
  }

  /// Returns the quoted identity of the rows at the time when the columns are computed.
  fileprivate func identity(of table: String, _ before: ObjectSchema) -> String {
    SQLName.quote(
      rebuild?.sourceIdentityColumn ?? schema[table]?.identityColumn ?? before.identityColumn)
  }

  /// Returns the operations with column values: as part of the rebuild, or as the last operation.
  ///
  /// - Parameter condition: The SQL condition on the rows that get the values; nil for all rows.
  fileprivate func setting(
    _ values: [TransformedColumn], of table: String, where condition: String?
  ) -> [TableOperation] {
    guard rebuild != nil else {
      return operations + [
        .setColumns(
          table: table,
          values.map {
            TableRebuild.Column(property: $0.property, source: .expression($0.value.sql))
          }, where: condition)
      ]
    }
    return operations.map { operation in
      guard case .rebuildTable(var rebuild) = operation else { return operation }
      for index in rebuild.columns.indices {
        let value = values.first {
          SQLName.same($0.property.columnName, rebuild.columns[index].property.columnName)
        }
        guard let value else { continue }
        let sql = value.value.sql
        rebuild.columns[index].source = .expression(
          condition.map {
            RebuildTableSQL.value(
              sql, where: $0, otherwise: rebuild.columns[index], in: rebuild.table)
          } ?? sql)
      }
      return .rebuildTable(rebuild)
    }
  }
}

extension TransformedColumn {
  /// Returns the same column, computed only for rows that meet an SQL condition.
  fileprivate func limited(to condition: String?) -> TransformedColumn {
    guard let condition else { return self }
    var limited = self
    limited.value.sql = "CASE WHEN \(condition) THEN \(value.sql) ELSE 0 END"
    return limited
  }
}
