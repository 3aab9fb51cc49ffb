package import Foundation
package import GRDB
package import StrataSchema
import Synchronization

/// The schema that a store was opened with, which its file must keep.
///
/// Another program may migrate the file, create it again with other classes at the same version
/// (`deleteRealmIfMigrationNeeded`), or restore a copy from before a class was added. Added classes
/// and indexes are no obstacle.
package final class ExpectedSchema: Sendable {
  private let version: UInt64
  private let schema: Schema
  private let isReadOnly: Bool
  /// The names of the classes that were missing from a read-only file.
  private let missing: Set<String>
  /// The last compatible schema of the file, as its text.
  private let fitting = Mutex<String?>(nil)

  package init(_ version: UInt64, _ schema: Schema, readOnly: Bool, missing: Set<String>) {
    self.version = version
    self.schema = schema
    isReadOnly = readOnly
    self.missing = missing
  }

  /// - Throws: ``RealmError`` with code `fail` if the file has another version or incompatible
  ///   classes.
  package func check(_ db: Database, at url: URL) throws {
    guard let current = try VersionTable.current(db, at: url), current.version == version else {
      return try VersionTable.check(db, isAt: version, at: url)
    }
    guard fitting.withLock({ $0 != current.schema }) else { return }
    let found = try VersionTable.decode(current.schema, at: url)
    let obstacles = SchemaDiff.changes(from: found, to: schema).filter(isObstacle)
    guard obstacles.isEmpty else {
      throw RealmError(
        .fail,
        "Unsupported schema changes were made by another client or process: the file has other "
          + "classes now than when it was opened, at the same schema version \(version). Close the "
          + "realm and open it again. What would have to be changed in the file:"
          + obstacles.map { "\n- \($0)" }.joined(), fileURL: url)
    }
    fitting.withLock { $0 = current.schema }
  }

  private func isObstacle(_ change: SchemaChange) -> Bool {
    if case .addClass(let object) = change { return !missing.contains(object.className) }
    return isReadOnly ? change.isRefusedInReadOnlyMode : change.needsMigration
  }
}
