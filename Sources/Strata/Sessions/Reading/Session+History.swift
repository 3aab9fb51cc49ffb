import GRDB
import StrataSchema
import StrataStorage

/// Transactions of a history as they were read, and the schema of the file at that moment.
struct HistoryPage {
  var entries: [HistoryEntry]
  var file: Schema
}

extension Session {
  /// The transactions of the history behind a token, as far as the session sees them.
  func historyPage(after token: HistoryToken?, limit: Int) throws -> HistoryPage {
    try query { try store.historyPage($0, after: token, limit: limit) }
  }

  /// The transactions that a consumer of the history hasn't had yet.
  func historyPage(for consumer: String, limit: Int) throws -> HistoryPage {
    try query { db in
      try store.historyPage(
        db, after: try HistoryConsumers.token(of: consumer, db), limit: limit)
    }
  }

  /// Changes how far a consumer is, or what is kept, in a transaction that has begun.
  ///
  /// - Parameter token: What the reader checks before; nil for nothing.
  func changeHistory(
    checking token: HistoryToken? = nil, _ body: (Database) throws -> Void
  ) throws {
    try query { db in
      let reader = try HistoryReader(db, at: store.file.url)
      if let token { try reader.check(token) }
      try body(db)
    }
  }
}

extension Store {
  /// The transactions behind a token, on a connection.
  func historyPage(
    _ db: Database, after token: HistoryToken?, limit: Int
  ) throws -> HistoryPage {
    try db.readingAtOnce(isWanted: true) {
      let schema = try VersionTable.currentSchema(db, at: file.url) ?? Schema()
      let reader = try HistoryReader(db, schema, at: file.url)
      return HistoryPage(
        entries: try reader.entries(after: token, limit: limit), file: schema)
    }
  }
}
