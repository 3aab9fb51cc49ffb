import CStrataRuntime
import GRDB
import GRDBSQLite
import StrataSchema

/// A recorder of the rows that a connection writes: by statements of the library or of others, by
/// triggers and by foreign keys.
///
/// The recorder uses SQLite's pre-update hook, of which each connection has one. Recording a row
/// takes some nanoseconds. There is no lock: only the user of the connection uses the recorder.
package final class ChangeHook {
  /// Whether the SQLite library of this process was built with the hook.
  package static let isAvailable = strata_changes_are_available()

  private let changes: OpaquePointer

  /// Prepares to record rows. Returns nil if SQLite was built without the hook.
  ///
  /// - Parameters:
  ///   - schema: The schema of the file. Rows of its collections are recorded by their owners, all
  ///     others by their rowids.
  ///   - properties: The properties of the columns, by table. Tables without them record no
  ///     properties of updates.
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

  /// Precondition: the hook was removed from its connection, or the connection is closed.
  deinit { strata_changes_free(changes) }

  /// Records the writes of the connection from now on.
  func install(on db: Database) {
    strata_changes_install(changes, UnsafeMutableRawPointer(db.sqliteConnection))
  }

  /// Stops recording. The recorded rows can still be read.
  func remove(from db: Database) {
    strata_changes_remove(UnsafeMutableRawPointer(db.sqliteConnection))
  }

  /// Whether the connection still uses this hook: another library may have replaced it.
  ///
  /// If so, the hook is installed again, and the writes in between are unknown.
  func isInstalled(on db: Database) -> Bool {
    strata_changes_install(changes, UnsafeMutableRawPointer(db.sqliteConnection))
  }

  /// Runs a closure, and returns the rows that it deleted from a table, including deletions by
  /// triggers. An existing hook of the connection continues to record.
  ///
  /// This takes half of the time of reading the rows before they are deleted.
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

  /// Sets the properties that the next statement sets, so that its rows need no comparison. Set
  /// the empty set after the statement.
  func expect(_ properties: PropertySet) {
    let words = properties.isEmpty ? [] : properties.words
    strata_changes_expect(changes, words, words.count)
  }

  /// Removes the recorded rows.
  func forget() { strata_changes_forget(changes) }

  /// The rows that were recorded since the last ``forget()``.
  ///
  /// They include rows whose changes were rolled back to a savepoint.
  var rows: RecordedChanges {
    var sets = [RowSet](repeating: RowSet(), count: Int(strata_changes_table_count(changes)))
    for change in noted { sets[Int(change.table)].insert(change.key) }
    var result = RecordedChanges(isComplete: strata_changes_are_complete(changes))
    for (number, rows) in sets.enumerated() where !rows.isEmpty {
      result.tables[tableName(number)] = rows
    }
    return result
  }

  /// The changes of each table, in the order in which they were made; nil if memory was exhausted.
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
    return UnsafeBufferPointer(start: strata_changes_recorded(changes, &count), count: count)
  }

  private func tableName(_ number: Int) -> String {
    String(cString: strata_changes_table_name(changes, UInt32(number)))
  }
}

/// The rows that one or several transactions have written.
package struct RecordedChanges: Sendable {
  /// Identities by the name of the table; for the table of a collection, identities of the owners.
  package var tables: [String: RowSet] = [:]
  /// Whether the rows are complete; false if memory was exhausted.
  package var isComplete = true
}
