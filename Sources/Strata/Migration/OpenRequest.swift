import Foundation
import Logging

/// What a configuration says about opening a file, without the API it was said in.
struct OpenRequest: Sendable {
  enum Place: Sendable {
    case file(URL)
    case memory(identifier: String)
  }

  var place: Place
  var schemaVersion: UInt64
  var migrationBlock: MigrationBlock?
  /// The versions of the file and the steps between them, instead of the block.
  var plan: SchemaPlan?
  var types: [ObjectBase.Type]?
  var isReadOnly = false
  var startsOverIfMigrationNeeded = false
  var shouldCompact: (@Sendable (Int, Int) -> Bool)?
  var seed: URL?
  /// How the file is copied before a migration; nil for not at all.
  var backup: MigrationBackup?
  /// Whether SQLite is asked about the pages of tables that a migration reads.
  var checksIntegrity = true
  var progress: MigrationMonitor.Listener?
  var didMigrate: (@Sendable (MigrationReport) -> Void)?
  var cancellation: Cancellation?
  var logger: Logger?
  var logLevel: Logger.Level = .info

  var memoryIdentifier: String? {
    if case .memory(let identifier) = place { identifier } else { nil }
  }

  /// The file's path in messages; for memory the identifier.
  var name: String {
    switch place {
    case .file(let url): url.path
    case .memory(let identifier): identifier
    }
  }
}
