import CStrataRuntime
import GRDB
import GRDBSQLite
import StrataSchema

/// Notes the rows that a connection writes: by statements of the library or others, by triggers and
/// by foreign keys.
///
/// It takes SQLite's pre-update hook, of which each connection has one. Noting a row takes some
/// nanoseconds. It is used where its connection is: nothing in it is locked.
package final class ChangeHook {
  /// Whether the SQLite library of this process was built with the hook.
  package static let isAvailable = strata_changes_are_available()

  private let changes: OpaquePointer

  /// Prepares to note rows; nil where SQLite was built without the hook.
  ///
  /// - Parameters:
  ///   - schema: What is in the file. The rows of its collections are noted by their owners, all
  ///     others by their rowids.
  ///   - properties: Those of the columns, by table; none where updates of one row aren't told
  ///     apart.
  init?(_ schema: Schema, properties: [String: [_PropertySlot?]] = [:]) {
    guard Self.isAvailable, let changes = strata_changes_create() else { return nil }
    self.changes = changes
    for table in schema.objectSchema.flatMap(\.collectionTables) {
      guard strata_changes_add_owner_table(changes, table.name) else { return nil }
    }
    for (table, slots) in properties {
      let bits = slots.map { slot in
        let (word, bit) = slot.map { PropertySet.place(of: $0) } ?? (0, 0)
        return strata_column_bit(bit: bit, word: UInt16(word))
      }
      guard strata_changes_add_columns(changes, table, bits, Int32(bits.count)) else { return nil }
    }
  }

  /// The hook must have been removed from its connection, or the connection be closed.
  deinit { strata_changes_free(changes) }

  /// Notes what the connection writes from now on.
  func install(on db: Database) {
    strata_changes_install(changes, UnsafeMutableRawPointer(db.sqliteConnection))
  }

  /// Notes nothing further. What was noted can still be taken.
  func remove(from db: Database) {
    strata_changes_remove(UnsafeMutableRawPointer(db.sqliteConnection))
  }

  /// Whether the connection still notes its rows here: another library may have taken the hook.
  ///
  /// If one has, the hook is taken back, and what was written meanwhile isn't known.
  func isInstalled(on db: Database) -> Bool {
    strata_changes_install(changes, UnsafeMutableRawPointer(db.sqliteConnection))
  }

  /// Runs a closure, and returns the rows that it deleted from a table, also by triggers. What the
  /// connection notes already it goes on noting.
  ///
  /// Half of the time of reading the rows before they are deleted.
  ///
  /// - Parameter hook: The hook of the connection; nil if it has none.
  static func deletedRows(
    of table: String, on db: Database, beside hook: ChangeHook?, _ body: () throws -> Void
  ) rethrows -> RowSet {
    var rows = RowSet()
    try withUnsafeMutablePointer(to: &rows) { rows in
      try table.withCString { table in
        var deletions = strata_deletions(
          table: table,
          deleted: { context, row in
            context?.assumingMemoryBound(to: RowSet.self).pointee.insert(row)
          }, context: rows, beside: hook?.changes)
        let connection = UnsafeMutableRawPointer(db.sqliteConnection)
        try withUnsafeMutablePointer(to: &deletions) { deletions in
          strata_deletions_begin(deletions, connection)
          defer { strata_deletions_end(deletions, connection) }
          try body()
        }
      }
    }
    return rows
  }

  /// Says which properties the next statement sets, so that its rows need no comparing; none
  /// afterwards.
  func expect(_ properties: PropertySet) {
    let words = properties.isEmpty ? [] : properties.words
    strata_changes_expect(changes, words, words.count)
  }

  /// Forgets what was noted.
  func forget() { strata_changes_forget(changes) }

  /// The rows that were noted since they were forgotten.
  ///
  /// Rows whose changes were rolled back to a savepoint are among them.
  var rows: NotedChanges {
    var sets = [RowSet](repeating: RowSet(), count: Int(strata_changes_table_count(changes)))
    for change in noted { sets[Int(change.table)].insert(change.key) }
    var result = NotedChanges(isComplete: strata_changes_are_complete(changes))
    for (number, rows) in sets.enumerated() where !rows.isEmpty {
      result.tables[tableName(number)] = rows
    }
    return result
  }

  /// The changes of each table, in the order in which they were made; nil when there was no memory
  /// for one.
  var notes: [(table: String, notes: [HistoryNote])]? {
    guard strata_changes_are_complete(changes) else { return nil }
    var lists = [[HistoryNote]](repeating: [], count: Int(strata_changes_table_count(changes)))
    for change in noted {
      let kind: HistoryNote.Kind =
        switch change.operation {
        case UInt16(SQLITE_INSERT): .inserted
        case UInt16(SQLITE_DELETE): .deleted
        default: .updated
        }
      lists[Int(change.table)].append(
        HistoryNote(
          kind, row: change.key,
          properties: PropertySet(word: Int(change.word), bits: change.columns)))
    }
    return lists.enumerated().filter { !$0.element.isEmpty }.map {
      (tableName($0.offset), $0.element)
    }
  }

  private var noted: UnsafeBufferPointer<strata_change> {
    var count = 0
    return UnsafeBufferPointer(start: strata_changes_noted(changes, &count), count: count)
  }

  private func tableName(_ number: Int) -> String {
    String(cString: strata_changes_table_name(changes, UInt32(number)))
  }
}

/// The rows that one or several transactions have written.
package struct NotedChanges: Sendable {
  /// Identities by the name of the table; of the table of a collection those of its owners.
  package var tables: [String: RowSet] = [:]
  /// Whether all rows are there; not when there was no memory for one.
  package var isComplete = true
}
