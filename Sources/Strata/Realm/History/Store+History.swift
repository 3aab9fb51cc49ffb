import GRDB
import StrataSchema
import StrataStorage

extension Store {
  /// The transactions of the history behind a token, as a connection sees them.
  func history(
    _ db: Database, after token: HistoryToken?, limit: Int
  ) throws -> [HistoryTransaction] {
    try db.readingAtOnce(isWanted: true) {
      let file = try VersionTable.currentSchema(db, at: self.file.url) ?? Schema()
      let reader = try HistoryReader(db, file, at: self.file.url)
      let classes = HistoryClasses(discovered.schema, file: file)
      return try reader.entries(after: token, limit: limit).map {
        HistoryTransaction($0, classes)
      }
    }
  }
}
