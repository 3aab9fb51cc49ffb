import Strata

/// The numbers of objects that classes must have after a migration, according to its reports.
struct ObjectCounts {
  /// The objects in the file before; a class that no report mentions keeps them.
  private var before: [String: Int]
  private var reported: [String: Int] = [:]

  init(_ before: [String: Int], _ stages: [MigrationReport.Stage]) {
    self.before = before
    for stage in stages {
      // A class may get the name of another one, or be created again after it was dropped.
      follow(stage)
      for rows in stage.classes {
        reported[rows.className] =
          (reported[rows.className] ?? rows.before) + rows.created - rows.deleted - rows.merged
      }
    }
  }

  /// The number of objects of a class; nil for a new class that no report mentions.
  subscript(className: String) -> Int? { reported[className] ?? before[className] }

  private mutating func follow(_ stage: MigrationReport.Stage) {
    for rename in stage.renamedClasses {
      before[rename.new] = before.removeValue(forKey: rename.old)
      reported[rename.new] = reported.removeValue(forKey: rename.old)
    }
    for name in stage.droppedClasses {
      before[name] = nil
      reported[name] = nil
    }
  }
}
