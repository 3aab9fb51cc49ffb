import GRDB
import StrataQuery

extension QuerySQL {
  /// How many rows there are.
  func count(_ db: Database) throws -> Int {
    Int(try db.integer(aggregate("count(*)"), parameters) ?? 0)
  }
}
