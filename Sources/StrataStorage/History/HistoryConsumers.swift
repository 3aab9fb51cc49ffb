package import Foundation
package import GRDB
package import StrataSchema

/// The consumers of a history: their names, and the last transaction that each has processed.
package enum HistoryConsumers {
  /// A consumer's row in the file.
  package struct Consumer: Sendable {
    package var name: String
    package var token: HistoryToken
    package var updatedAt: Date
    /// The number of transactions that the consumer hasn't processed yet.
    package var behind: Int
  }

  /// - Throws: ``RealmError`` with code `fail` for an empty name, and for the author's name of this
  ///   program's transactions, because the consumer would skip them as its own.
  package static func check(_ name: String, author: String?, at url: URL) throws(RealmError) {
    guard !name.isEmpty else {
      throw RealmError(.fail, "A consumer of the history needs a name.", fileURL: url)
    }
    guard name == author else { return }
    throw RealmError(
      .fail,
      "The consumer '\(name)' has the name of the author of this realm's transactions, and would "
        + "get none of them. Give the consumer or the author another name.", fileURL: url)
  }

  /// Returns the last transaction that a consumer has processed; nil if missing.
  package static func token(of name: String, _ db: Database) throws -> HistoryToken? {
    let statement = try db.cachedStatement(
      sql: "SELECT position, mark FROM strata_history_consumer WHERE name = ?")
    try statement.bindRaw([.text(name)])
    return try statement.firstRow { HistoryToken(position: $0.int64(0), mark: $0.int64(1)) }
  }

  /// Records the last transaction that a consumer has processed.
  package static func move(_ name: String, to token: HistoryToken, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO strata_history_consumer (name, position, mark, updated_at)
        VALUES (?, ?, ?, \(HistoryTable.now))
        ON CONFLICT (name) DO UPDATE SET
          position = excluded.position, mark = excluded.mark, updated_at = excluded.updated_at
        """)
    try statement.bindRaw([.text(name), .integer(token.position), .integer(token.mark)])
    _ = try statement.stepRaw()
  }

  /// Records the last transaction that a consumer has processed, unless a later one is recorded
  /// already. Another process may have processed more, and these transactions may no longer be
  /// kept.
  package static func advance(_ name: String, to token: HistoryToken, _ db: Database) throws {
    let stored = try self.token(of: name, db)
    guard stored.map({ $0.position < token.position }) ?? true else { return }
    try move(name, to: token, db)
  }

  package static func remove(_ name: String, _ db: Database) throws -> Bool {
    try db.execute(sql: "DELETE FROM strata_history_consumer WHERE name = ?", arguments: [name])
    return db.changesCount > 0
  }

  package static func all(_ db: Database) throws -> [Consumer] {
    let sql = """
      SELECT name, position, mark, updated_at, (
        SELECT count(*) FROM strata_history AS h WHERE h.position > c.position
      ) FROM strata_history_consumer AS c ORDER BY name
      """
    return try Row.fetchAll(db, sql: sql).compactMap { row in
      guard let name = String.fromDatabaseValue(row[0]),
        let date = String.fromDatabaseValue(row[3]).flatMap(DateText.decode)
      else { return nil }
      return Consumer(
        name: name, token: HistoryToken(position: row[1], mark: row[2]), updatedAt: date,
        behind: row[4])
    }
  }
}
