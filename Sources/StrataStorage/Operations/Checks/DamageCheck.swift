package import Foundation
import GRDB
package import StrataSchema
import Synchronization

/// The check for damaged pages in the tables that a migration copies.
///
/// A damaged page may lack rows without an error. The migration makes its contents permanent, so
/// this is the last moment to detect the damage. The check runs on a thread of its own while the
/// migration continues: until the commit, other connections see the unchanged file. A small file is
/// checked at the end, by the connection that has read the old rows, because opening another one
/// would take longer.
package final class DamageCheck: Sendable {
  private struct State {
    var begun: Set<String> = []
    /// The tables that are checked at the end.
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

  /// The limit in bytes for a small file: some thousand rows, which take less time than opening a
  /// connection.
  private static let smallBytes = 128 << 10

  /// The number of problems that an error names.
  private static let named = 3

  /// - Parameters:
  ///   - schema: The schema of the file before the migration.
  ///   - includesIndexes: Whether to compare indexes with the rows of their tables.
  package init(of schema: Schema, _ readers: Readers, at url: URL, includesIndexes: Bool) {
    self.includesIndexes = includesIndexes
    self.schema = schema.stored
    self.readers = readers
    self.url = url
    isSmall = FileNames.bytes(ofFileAt: url.path) <= Self.smallBytes
  }

  /// Begins to check the tables of a class, once. Does nothing for a new class.
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

  /// Waits for the running checks, and checks classes that had other names.
  ///
  /// - Parameter names: The migrated classes, by their previous names.
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

  /// Cancels the running checks, after a migration has failed.
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

  private func problems(of table: String, _ db: Database) throws -> [String] {
    // https://sqlite.org/pragma.html: `quick_check` omits the part of `integrity_check` that
    // verifies that the content of indexes matches the tables.
    let check = includesIndexes ? "integrity_check" : "quick_check"
    do {
      return try PageCheck.problems("\(check)(\(SQLName.quote(table)))", db)
        .map { "\(table): \($0)" }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return ["\(table): \(error.message ?? "it can't be read")"]
    }
  }
}
