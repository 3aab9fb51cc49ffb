public import Foundation

/// That a file is copied before each migration, and where to.
///
/// ```swift
/// configuration.migrationBackup = MigrationBackup(keeping: 5)
/// ```
/// The copy is made with SQLite's own backup, while no other connection can write, and is checked
/// before the migration begins. A copy that can't be made, or isn't sound, stops the migration; the
/// file is as it was then. A copy is a file of its own, called after the file, its version and the
/// time: `people-v3-20261121T101502.250Z.sqlite`.
public struct MigrationBackup: Sendable, Hashable {
  /// The folder for copies, which is made if it isn't there; nil for `<name>-backups` beside the
  /// file.
  ///
  /// Files that have the same name in different folders need a folder for copies each: a copy is
  /// found by the name of its file, and one of another file would be deleted, or restored.
  public var directory: URL?

  /// How many copies of the file are kept. Older ones are deleted when a new one is there.
  public var keeping: Int

  /// Describes copies; without a number the last three are kept.
  public init(directory: URL? = nil, keeping: Int = 3) {
    self.directory = directory
    self.keeping = keeping
  }
}
