package import StrataSchema

/// The plan between two versions of a class.
package func plan(
  _ old: ObjectSchema,
  _ new: ObjectSchema,
  _ phase: SchemaTranslator.Phase = .noBlock,
  defaults: (String, Property) -> ColumnDefault = zeros
) -> OperationList {
  SchemaTranslator.operations(from: Schema(old), to: Schema(new), phase: phase, defaults: defaults)
}

/// The operations between two versions of a class.
package func operations(
  _ old: ObjectSchema,
  _ new: ObjectSchema,
  _ phase: SchemaTranslator.Phase = .noBlock,
  defaults: (String, Property) -> ColumnDefault = zeros
) -> [TableOperation] {
  plan(old, new, phase, defaults: defaults).operations
}

/// The operations before and after the migration block, each as text.
package func stepsAroundBlock(
  _ old: ObjectSchema, _ new: ObjectSchema
) -> (before: [String], after: [String]) {
  let before = plan(old, new, .beforeBlock)
  let after = SchemaTranslator.operations(
    from: before.schema, to: Schema(new), phase: .afterBlock, defaults: zeros)
  return (before.operations.map(\.description), after.operations.map(\.description))
}

/// The only rebuild of a plan; nil if the plan has more than one, or no rebuild.
package func onlyRebuild(_ operations: [TableOperation]) -> TableRebuild? {
  let rebuilds = operations.compactMap { operation -> TableRebuild? in
    if case .rebuildTable(let rebuild) = operation { rebuild } else { nil }
  }
  return rebuilds.count == 1 ? rebuilds.first : nil
}
