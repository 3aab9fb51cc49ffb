import GRDB

/// A person as GRDB's users write it.
struct PersonRecord: FetchableRecord {
  var id: Int64
  var firstName: String
  var lastName: String
  var age: Int

  static let sql = "SELECT * FROM Person"

  init(row: Row) {
    id = row["_id"]
    firstName = row["firstName"]
    lastName = row["lastName"]
    age = row["age"]
  }
}
