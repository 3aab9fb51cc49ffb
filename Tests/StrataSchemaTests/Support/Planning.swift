import StrataSchema

/// The plan between two versions of a class.
func plan(
  _ old: ObjectSchema,
  _ new: ObjectSchema,
  _ phase: MigrationPlanner.Phase = .noBlock,
  defaults: (String, Property) -> ColumnDefault = zeros
) -> StepPlan {
  MigrationPlanner.plan(from: Schema(old), to: Schema(new), phase: phase, defaults: defaults)
}

/// The steps between two versions of a class.
func steps(
  _ old: ObjectSchema,
  _ new: ObjectSchema,
  _ phase: MigrationPlanner.Phase = .noBlock,
  defaults: (String, Property) -> ColumnDefault = zeros
) -> [MigrationStep] {
  plan(old, new, phase, defaults: defaults).steps
}

/// The steps before and after the migration block, each as text.
func stepsAroundBlock(
  _ old: ObjectSchema, _ new: ObjectSchema
) -> (before: [String], after: [String]) {
  let before = plan(old, new, .beforeBlock)
  let after = MigrationPlanner.plan(
    from: before.schema, to: Schema(new), phase: .afterBlock, defaults: zeros)
  return (before.steps.map(\.description), after.steps.map(\.description))
}

/// The only rebuild of a plan; nil if there is none or more than one.
func onlyRebuild(_ steps: [MigrationStep]) -> TableRebuild? {
  let rebuilds = steps.compactMap { step -> TableRebuild? in
    if case .rebuildTable(let rebuild) = step { rebuild } else { nil }
  }
  return rebuilds.count == 1 ? rebuilds.first : nil
}
