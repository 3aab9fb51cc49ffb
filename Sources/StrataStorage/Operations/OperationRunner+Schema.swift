package import StrataSchema

extension OperationRunner {
  /// Gives the tables of collections other names where classes of the program need them; returns
  /// what is in the file then.
  package func makeRoom(in physical: Schema, for target: Schema) throws -> Schema {
    let list = SchemaTranslator.operationsMakingRoom(in: physical, for: target)
    try run(list.operations)
    return list.schema
  }

  /// Makes the changes of one phase; returns what is in the file then.
  package func change(
    _ physical: Schema, to target: Schema, phase: SchemaTranslator.Phase
  ) throws -> Schema {
    let changes = SchemaDiff.changes(from: physical, to: target)
    let defaults = try ModelDefaults(of: changes, classes)
    let list = SchemaTranslator.operations(
      from: physical, to: target, phase: phase, defaults: defaults.value)
    try run(list.operations)
    return list.schema
  }
}
