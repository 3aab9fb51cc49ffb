public import Foundation

/// A copy of a file from before a migration.
public struct RealmBackup: Sendable, Hashable {
  /// The copy.
  public let url: URL
  /// The version that the file was at.
  public let schemaVersion: UInt64
  /// When it was copied.
  public let createdAt: Date
}
