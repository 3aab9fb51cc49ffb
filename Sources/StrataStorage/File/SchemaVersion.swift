public import Foundation
public import StrataSchema

/// A schema version that a file has been at.
public struct SchemaVersion: Sendable, Hashable {
  /// The version.
  public let version: UInt64

  /// The classes of that version, with the names of columns. Classes that the program no longer has
  /// are among them while the file keeps their tables.
  public let schema: Schema

  /// When the file was created at that version, or migrated to it.
  public let migratedAt: Date

  /// The version that the file was at before; nil for the one that it was created at, and
  /// where it isn't recorded.
  public let migratedFrom: UInt64?

  /// How long the stage took; nil where it isn't recorded.
  public let duration: Duration?

  /// How many rows were shown to closures, copied or filled; nil where it isn't recorded.
  public let rows: Int?

  /// The release of the library that did it; nil where it isn't recorded.
  public let libraryVersion: String?
}
