extension MigrationContext {
  /// Sets properties of a class as expressions say, by the classes of the program and of old.
  func transform(
    _ assignments: [TransformAssignment], of type: ObjectBase.Type, from oldName: String
  ) {
    let name = type.className()
    _ = attempt {
      if let info = discovered.classes[name], info.type != type {
        throw refusal(
          name,
          "the program has another class of that name in its configuration. Use that one on the "
            + "right.")
      }
      if newSchema[name] != nil, start[name] == nil || oldTable(oldName) !== oldTable(name) {
        throw refusal(
          name,
          SQLName.same(oldName, name)
            ? noClass
            : "it is another class than '\(oldName)' of the file. Call "
              + "'renameClass(from: \"\(oldName)\", to: \"\(name)\")' before.")
      }
      try transformNow(assignments, of: name)
    }
  }

  /// Sets properties of a class as expressions say.
  func transform(_ assignments: [TransformAssignment], of name: String) {
    guard canWork() else { return }
    _ = attempt { try transformNow(assignments, of: name) }
  }

  private func refusal(_ name: String, _ reason: String) -> RealmError {
    RealmError(.fail, "Cannot transform '\(name)': \(reason)")
  }

  private var noClass: String {
    "the file has no such class. It has: \(Self.names(start)). Call 'renameClass' before if it has "
      + "another name."
  }

  private func transformNow(_ assignments: [TransformAssignment], of name: String) throws {
    guard let target = newSchema[name] else {
      throw refusal(name, "it is no class of the program. It has: \(Self.names(newSchema)).")
    }
    guard start[name] != nil, let before = physical[name] else { throw refusal(name, noClass) }
    guard !prepared.contains(name), before == start[name], !isLooping(over: name) else {
      throw refusal(
        name,
        "the block has used the class before. Call 'transform', once, before anything else that "
          + "touches it.")
    }
    let values = try compile(assignments, TransformCompiler(before), target)
    guard !values.isEmpty else { return }
    // Several objects may have the same key until the block ends.
    if values.contains(where: { $0.property.columnName == before.primaryKey }) {
      try suspendPrimaryKey(of: name)
    }
    try write(values, to: target, assignments)
    noteChange()
    touch(name)
  }

  private func compile(
    _ assignments: [TransformAssignment], _ compiler: TransformCompiler, _ target: ObjectSchema
  ) throws(RealmError) -> [TransformedColumn] {
    var values: [TransformedColumn] = []
    for assignment in assignments {
      guard !assignment.property.isEmpty else {
        throw refusal(
          target.className,
          "what is set is no '@Persisted' property of the new class. Set those that it is kept in.")
      }
      guard let property = target[assignment.property] else {
        throw RealmError(
          .fail,
          ErrorText.invalidPropertyName(
            assignment.property, target.className, known: target.properties.map(\.name)))
      }
      do {
        let result = try compiler.compile(assignment.expression, for: property)
        // What is said last holds.
        values.removeAll { $0.property.name == property.name }
        values.append(TransformedColumn(property: property, value: result))
      } catch {
        throw refusal("\(target.className).\(property.name)", error.description)
      }
    }
    return values
  }

  // MARK: Writing

  /// A plan that makes the table anew does it with the values; otherwise they are set in place.
  private func write(
    _ values: [TransformedColumn], to target: ObjectSchema, _ assignments: [TransformAssignment]
  ) throws {
    let name = target.className
    guard let before = physical[name] else { return }
    let read = assignments.reduce(into: Set<String>()) { $0.formUnion($1.expression.columns) }
    let whole = try plan(.duringLoop, before, target, values)
    let gone = whole.rebuild.map { Self.properties(of: before, without: $0.target) } ?? []
    // As for loops: what others may still look for stays until the block ends.
    let isWhole =
      whole.rebuild != nil && !whole.operations.contains(where: \.isFilling)
      && !gone.contains { $0.type == .object || $0.type == .any }
    let plan = try isWhole ? whole : plan(.beforeBlock, before, target, values)
    try check(plan, read, name)
    noteCarried(read, of: name)
    prepared.insert(name)
    if isWhole { removed[name] = gone }
    try runner.run(plan.operations(setting: values, of: name), computing: values, of: before)
    for schema in plan.schema.objectSchema { physical.update(schema) }
  }

  private func plan(
    _ phase: SchemaTranslator.Phase, _ before: ObjectSchema, _ target: ObjectSchema,
    _ values: [TransformedColumn]
  ) throws -> OperationList {
    let defaults = try modelDefaults()
    return SchemaTranslator.operations(
      from: Schema([before]), to: Schema([target]), phase: phase
    ) { name, property in
      // The default of a property that gets a value is not needed.
      values.contains { SQLName.same($0.property.columnName, property.columnName) }
        ? .constant(.zero(for: property.type)) : defaults.value(name, property)
    }
  }

  /// - Throws: ``RealmError`` with code `fail` when a column would change before it is read.
  private func check(
    _ plan: OperationList, _ read: Set<String>, _ name: String
  ) throws(RealmError) {
    for operation in plan.operations {
      guard case .fillColumns(_, let properties, onlyNull: true) = operation,
        let property = properties.first(where: { read.contains($0.columnName) })
      else { continue }
      throw refusal(
        name,
        "'\(property.columnName)' is read, and gets a default for each object that has none. Set it "
          + "in the same 'transform' as well.")
    }
    guard plan.rebuild == nil, let schema = plan.schema[name] else { return }
    let columns = Set(schema.properties.flatMap(\.columns).map { SQLName.folded($0.name) })
    if let missing = read.sorted().first(where: { !columns.contains(SQLName.folded($0)) }) {
      throw refusal(
        name,
        "'\(missing)' is read, and its column must go before. Use 'enumerateObjects' for it.")
    }
  }
}

extension OperationList {
  /// The operation that makes a table anew; there is one at most for a class.
  fileprivate var rebuild: TableRebuild? {
    for case .rebuildTable(let rebuild) in operations { return rebuild }
    return nil
  }

  /// The operations with values for columns: on the way to the new table, or else at the end.
  fileprivate func operations(setting values: [TransformedColumn], of table: String)
    -> [TableOperation]
  {
    guard rebuild != nil else {
      return operations + [
        .setColumns(
          table: table,
          values.map {
            TableRebuild.Column(property: $0.property, source: .expression($0.value.sql))
          })
      ]
    }
    return operations.map { operation in
      guard case .rebuildTable(var rebuild) = operation else { return operation }
      for index in rebuild.columns.indices {
        let value = values.first {
          SQLName.same($0.property.columnName, rebuild.columns[index].property.columnName)
        }
        if let value { rebuild.columns[index].source = .expression(value.value.sql) }
      }
      return .rebuildTable(rebuild)
    }
  }
}
