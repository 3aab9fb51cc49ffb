import Strata
import StrataSchema

/// How many objects classes must have after a walk, by what its reports say.
struct ObjectCounts {
  /// What was in the file; a class that no report speaks of keeps it.
  private var before: [String: Int]
  private var reported: [String: Int] = [:]

  init(_ before: [String: Int], _ steps: [MigrationReport.Step], _ plan: SchemaPlan?) {
    self.before = before
    for step in steps {
      // A class may get the name of another one, or come again after it was dropped.
      let planned = plan?.steps.first { UInt64(exactly: $0.version) == step.to }
      if let planned, step.from != step.to { follow(planned.declarations) }
      for rows in step.classes {
        reported[rows.className] =
          (reported[rows.className] ?? rows.before) + rows.created - rows.deleted - rows.merged
      }
    }
  }

  /// The number of objects of a class; nil for a class that nobody knew before.
  subscript(className: String) -> Int? { reported[className] ?? before[className] }

  private mutating func follow(_ declarations: StepDeclarations) {
    for rename in declarations.renamedClasses {
      before[rename.new] = before.removeValue(forKey: rename.old)
      reported[rename.new] = reported.removeValue(forKey: rename.old)
    }
    // What is declared of properties is under names of none.
    for name in declarations.dropped {
      before[name] = nil
      reported[name] = nil
    }
  }
}
