package import Foundation
package import StrataSchema

/// A transaction of a history, with today's names of classes and columns.
package struct HistoryEntry: Sendable {
  package var token: HistoryToken
  package var date: Date
  package var kind: HistoryTable.Kind
  package var author: String?
  package var process: String?
  package var schemaVersion: UInt64
  /// By class name, then by identity.
  package var changes: [Change] = []
  /// Of a migration.
  package var migration: HistoryMigration?

  /// A change of one object; of all of a class, identity 0.
  package struct Change: Sendable {
    package var className: String
    package var row: Int64
    package var kind: HistoryGroup.Kind
    /// Values that were kept, by columns.
    package var kept: [String: StoredValue] = [:]
    /// The primary key; nil where it isn't known, or the class has none.
    package var key: StoredValue?
  }
}
