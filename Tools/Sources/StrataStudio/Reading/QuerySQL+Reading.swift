import GRDB
import StrataQuery

extension QuerySQL {
  /// The number of rows.
  func count(_ db: Database) throws -> Int {
    Int(try db.integer(aggregate("count(*)"), parameters) ?? 0)
  }
}
