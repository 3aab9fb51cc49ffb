import GRDB

/// A person with a number, as GRDB's users write it.
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
