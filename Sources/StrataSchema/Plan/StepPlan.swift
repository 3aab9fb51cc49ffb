/// What to do to a file, in order, and what it will then contain.
package struct StepPlan: Sendable, Hashable {
  /// The steps, to be run in this order.
  package var steps: [MigrationStep]

  /// What is physically in the file after the steps.
  ///
  /// A primary key that is gone for the time of a migration block is absent here. A property that
  /// is to be removed after it is still present, behind those of the model; whoever inserts a row
  /// meanwhile gives its column a value, for it may be NOT NULL.
  package var schema: Schema

  /// Describes a plan.
  package init(steps: [MigrationStep], schema: Schema) {
    self.steps = steps
    self.schema = schema
  }
}

extension StepPlan: CustomStringConvertible {
  /// The numbered steps, one a line: what a dry run prints.
  package var description: String {
    if steps.isEmpty { return "Nothing to do." }
    return steps.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "\n")
  }
}
