/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
  /// The version before the present stage.
  public let from: UInt64
  /// The version after the present stage.
  public let to: UInt64
  /// The number of the stage, from 1.
  public let stage: Int
  /// The number of stages.
  public let stages: Int
  /// The class whose rows are being migrated; nil between two classes.
  public let className: String?
  /// The number of completed rows of the class.
  public let completedRows: Int
  /// The number of rows of the class.
  public let totalRows: Int

  /// The completed fraction of the rows of the class, from 0 to 1.
  public var fractionCompleted: Double {
    totalRows == 0 ? 0 : min(1, Double(completedRows) / Double(totalRows))
  }
}

extension MigrationProgress: CustomStringConvertible {
  /// A text such as `Version 2 to 3 (stage 1 of 2), Person: 12000 of 50000 rows`.
  public var description: String {
    let versions = "Version \(from) to \(to) (stage \(stage) of \(stages))"
    guard let className else { return versions }
    return "\(versions), \(className): \(completedRows) of \(totalRows) rows"
  }
}
