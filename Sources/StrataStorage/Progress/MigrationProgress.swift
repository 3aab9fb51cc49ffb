/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
  /// The version before the stage that is being made.
  public let from: UInt64
  /// The version after it.
  public let to: UInt64
  /// The number of the stage, from 1.
  public let stage: Int
  /// How many stages the migration has.
  public let stages: Int
  /// The class whose rows are being worked on; nil between two.
  public let className: String?
  /// How many rows of the class are done.
  public let completedRows: Int
  /// How many rows the class has.
  public let totalRows: Int

  /// The part of the rows of the class that is done, from 0 to 1.
  public var fractionCompleted: Double {
    totalRows == 0 ? 0 : min(1, Double(completedRows) / Double(totalRows))
  }
}

extension MigrationProgress: CustomStringConvertible {
  /// `Version 2 to 3 (stage 1 of 2), Person: 12000 of 50000 rows`.
  public var description: String {
    let versions = "Version \(from) to \(to) (stage \(stage) of \(stages))"
    guard let className else { return versions }
    return "\(versions), \(className): \(completedRows) of \(totalRows) rows"
  }
}
