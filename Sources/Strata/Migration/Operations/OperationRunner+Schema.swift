extension OperationRunner {
  /// Gives the tables of collections other names where classes of the program need them; returns what is in
  /// the file then.
  func makeRoom(in physical: Schema, for target: Schema) throws -> Schema {
    let list = SchemaTranslator.operationsMakingRoom(in: physical, for: target)
    try run(list.operations)
    return list.schema
  }

  /// Makes the changes of one phase; returns what is in the file then.
  func change(
    _ physical: Schema, to target: DiscoveredSchema, phase: SchemaTranslator.Phase
  ) throws -> Schema {
    let changes = SchemaDiff.changes(from: physical, to: target.schema)
    let defaults = try ModelDefaults(of: changes, target)
    let list = SchemaTranslator.operations(
      from: physical, to: target.schema, phase: phase, defaults: defaults.value)
    try run(list.operations)
    return list.schema
  }
}
