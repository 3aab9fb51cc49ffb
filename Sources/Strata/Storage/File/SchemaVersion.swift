public import Foundation

/// A schema version that a file has been at.
public struct SchemaVersion: Sendable, Hashable {
  /// The version.
  public let version: UInt64

  /// The classes of that version, with the names of columns. Classes that the program no longer has
  /// are among them while the file keeps their tables.
  public let schema: Schema

  /// When the file was created at that version, or migrated to it.
  public let migratedAt: Date
}
