import GRDB

/// A person as GRDB's users write it, found by the key that SQLite gave to the row.
struct KeyedPersonRecord: FetchableRecord, TableRecord {
  static let databaseTableName = "Person"

  var id: Int
  var firstName: String
  var lastName: String
  var age: Int

  init(row: Row) {
    id = row["id"]
    firstName = row["firstName"]
    lastName = row["lastName"]
    age = row["age"]
  }
}
