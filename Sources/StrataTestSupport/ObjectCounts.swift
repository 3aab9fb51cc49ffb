import Strata

/// How many objects classes must have after a walk, by what its reports say.
struct ObjectCounts {
  /// What was in the file; a class that no report speaks of keeps it.
  private var before: [String: Int]
  private var reported: [String: Int] = [:]

  init(_ before: [String: Int], _ steps: [MigrationReport.Step]) {
    self.before = before
    for step in steps {
      // A class may get the name of another one, or come again after it was dropped.
      follow(step)
      for rows in step.classes {
        reported[rows.className] =
          (reported[rows.className] ?? rows.before) + rows.created - rows.deleted - rows.merged
      }
    }
  }

  /// The number of objects of a class; nil for a class that nobody knew before.
  subscript(className: String) -> Int? { reported[className] ?? before[className] }

  private mutating func follow(_ step: MigrationReport.Step) {
    for rename in step.renamedClasses {
      before[rename.new] = before.removeValue(forKey: rename.old)
      reported[rename.new] = reported.removeValue(forKey: rename.old)
    }
    for name in step.droppedClasses {
      before[name] = nil
      reported[name] = nil
    }
  }
}
