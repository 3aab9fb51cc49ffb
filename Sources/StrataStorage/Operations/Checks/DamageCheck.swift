package import Foundation
import GRDB
import GRDBSQLite
package import StrataSchema
import Synchronization

/// The check that the pages of tables are sound that a migration carries over.
///
/// A damaged page may have fewer rows than were written to it, without an error. What a migration
/// reads of it becomes the truth, so this is the last moment to notice. It is done on a thread of
/// its own while the migration continues: until that is committed, other connections see the file
/// as it was. A small file is looked at in the end, by the connection that has read the old rows:
/// another one would take longer to open.
package final class DamageCheck: Sendable {
  private struct State {
    var begun: Set<String> = []
    /// Tables that are looked at in the end.
    var waiting: [String] = []
    var problems: [String] = []
    var failure: (any Error)?
    var isCancelled = false
    var connection: DatabaseQueue?
  }

  private let readers: Readers
  private let url: URL
  private let schema: Schema
  private let includesIndexes: Bool
  private let isSmall: Bool
  private let queue = DispatchQueue(label: "Strata.check", qos: .userInitiated)
  private let state = Mutex(State())

  /// Up to how many bytes a file is small: some thousand rows, which take less time than opening a
  /// connection.
  private static let smallBytes = 128 << 10

  /// How many problems an error names.
  private static let named = 3

  /// - Parameters:
  ///   - schema: What is in the file before the migration.
  ///   - includesIndexes: Whether indexes are compared with the rows of their tables.
  package init(of schema: Schema, _ readers: Readers, at url: URL, includesIndexes: Bool) {
    self.includesIndexes = includesIndexes
    self.schema = schema.stored
    self.readers = readers
    self.url = url
    isSmall = FileNames.bytes(ofFileAt: url.path) <= Self.smallBytes
  }

  /// Begins to look at the tables of a class, unless it has; does nothing for one that is new.
  package func begin(_ className: String) {
    guard let object = schema[className],
      state.withLock({ $0.begun.insert(className).inserted })
    else { return }
    let tables = [object.className] + object.collectionTables.map(\.name)
    guard !isSmall else { return state.withLock { $0.waiting += tables } }
    queue.async { [self] in
      for table in tables { check(table) }
    }
  }

  /// Waits for what has begun, and looks at classes that had other names.
  ///
  /// - Parameter names: The classes that were worked on, each by the name that it had before.
  /// - Throws: ``RealmError`` with code `invalidDatabase`, naming what SQLite finds.
  package func finish(_ names: Set<String>) throws {
    for name in names.sorted() { begin(name) }
    for table in state.withLock({ $0.waiting }) { check(table) }
    queue.sync {}
    let (problems, failure) = state.withLock { ($0.problems, $0.failure) }
    if let failure { throw failure }
    guard !problems.isEmpty else { return }
    var list = problems.prefix(Self.named).joined(separator: "; ")
    if problems.count > Self.named { list += "; and \(problems.count - Self.named) more" }
    throw RealmError(
      .invalidDatabase,
      "Realm file at path '\(url.path)' is damaged in tables that the migration reads "
        + "(\(list)), and objects may be missing. "
        + "Nothing was migrated. Restore the file from a backup, save what 'sqlite3 file .recover' "
        + "finds, or set 'migrationIntegrityCheck' to false to migrate what can be read.",
      fileURL: url)
  }

  /// Ends what has begun; for a migration that has failed.
  package func cancel() {
    let connection = state.withLock { state in
      state.isCancelled = true
      return state.connection
    }
    connection?.interrupt()
    queue.sync {}
  }

  private func check(_ table: String) {
    guard state.withLock({ !$0.isCancelled && $0.failure == nil }) else { return }
    let found = Result {
      let connection = try readers.borrow()
      state.withLock { $0.connection = connection.queue }
      defer {
        state.withLock { $0.connection = nil }
        readers.giveBack(connection)
      }
      return try connection.queue.unsafeRead { try problems(of: table, $0) }
    }
    state.withLock { state in
      switch found {
      case .success(let problems): state.problems += problems
      case .failure(let error): state.failure = error
      }
    }
  }

  /// The failure of the disk that a line tells of: SQLite lists a page that it could not read as
  /// "Page 9: unable to get the page. error code=266", which says nothing of the file.
  private static func failedRead(_ line: String) -> DatabaseError? {
    guard let match = line.firstMatch(of: /error code=(\d+)/), let code = CInt(match.1),
      code & 0xFF != SQLITE_CORRUPT
    else { return nil }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: "disk I/O error")
  }

  private func problems(of table: String, _ db: Database) throws -> [String] {
    // https://sqlite.org/pragma.html: `quick_check` leaves out what `integrity_check` does to
    // verify that the content of indexes matches that of tables.
    let check = includesIndexes ? "integrity_check" : "quick_check"
    do {
      let found = try String.fetchAll(db, sql: "PRAGMA \(check)(\(SQLName.quote(table)))")
      if found == ["ok"] { return [] }
      if let failure = found.lazy.compactMap(Self.failedRead).first { throw failure }
      return found.map { "\(table): \($0)" }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return ["\(table): \(error.message ?? "it can't be read")"]
    }
  }
}
