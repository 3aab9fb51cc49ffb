import GRDB

/// A person as a typical record of GRDB.
struct PersonRecord: FetchableRecord {
  static let sql = "SELECT * FROM Person"

  var id: Int64
  var firstName: String
  var lastName: String
  var age: Int

  init(row: Row) {
    id = row["_id"]
    firstName = row["firstName"]
    lastName = row["lastName"]
    age = row["age"]
  }
}

/// A person that is found by its row number.
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

/// A person with a number, for insertion.
struct NumberedPersonRecord: PersistableRecord {
  static let databaseTableName = "Person"

  var id: Int
  var firstName: String
  var lastName: String
  var age: Int

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["firstName"] = firstName
    container["lastName"] = lastName
    container["age"] = age
  }
}
