import Foundation
import Strata

/// The mistakes that a migration block can make, and the text of the error for each.
enum BlockMistake: CaseIterable {
  case unknownOldProperty, unknownNewProperty, oldNameOnNew, newNameOnOld, wrongType, nilForRequired
  case readsOtherType, writesOld, deletesOld, unknownClass, tooManyValues, nan, usesDeleted,
    renamesUnknown

  func make(_ migration: Migration, _ old: MigrationObject, _ new: MigrationObject) {
    switch self {
    case .unknownOldProperty: _ = old["x"] as Any?
    case .unknownNewProperty: new["x"] = 1
    case .oldNameOnNew: _ = new["name"] as Any?
    case .newNameOnOld: _ = old["fullName"] as Any?
    case .wrongType: new["age"] = 3
    case .nilForRequired: new["fullName"] = nil
    case .readsOtherType:
      let age: String? = old["age"]
      new["age"] = age ?? "none"
    case .writesOld: old["name"] = "x"
    case .deletesOld: migration.delete(old)
    case .unknownClass: migration.create("Nobody")
    case .tooManyValues: migration.create("Person", value: ["a", "b", "c", Date(), 1] as [Any])
    case .nan: migration.create("Keyed", value: [9, "x", Double.nan] as [Any])
    case .usesDeleted:
      migration.delete(new)
      new["fullName"] = "x"
    case .renamesUnknown: migration.renameProperty(onType: "Person", from: "x", to: "fullName")
    }
  }

  var message: String {
    switch self {
    case .unknownOldProperty:
      "Invalid property name 'x' for class 'Person'. It has: name, age, email."
    case .unknownNewProperty:
      "Invalid property name 'x' for class 'Person'. It has: fullName, age, email, since."
    case .oldNameOnNew:
      "Invalid property name 'name' for class 'Person'. It has: fullName, age, email, since."
    case .newNameOnOld:
      "Invalid property name 'fullName' for class 'Person'. It has: name, age, email."
    case .wrongType: "Invalid value '3' of type 'Int' for 'string' property 'Person.age'."
    case .nilForRequired:
      "Invalid value '(null)' of type '(null)' for 'string' property 'Person.fullName'."
    case .readsOtherType: "'Person.age' is of type 'int' and can't be read as 'String'."
    case .writesOld:
      "Cannot modify managed objects outside of a write transaction. ('Person.name' of an old object)"
    case .deletesOld: "Can only delete an object from the Realm it belongs to."
    case .unknownClass:
      "Object type 'Nobody' is not managed by the Realm. If using a custom `objectClasses` / "
        + "`objectTypes` array in your configuration, add `Nobody` to the list of `objectClasses` / "
        + "`objectTypes`."
    case .tooManyValues: "Invalid array input: more values (5) than properties (4)."
    case .nan:
      "The value of 'Keyed.score' can't be stored: SQLite has no NaN and would store NULL. Set "
        + "another value, or make the property optional and set it to nil."
    case .usesDeleted: "Object has been deleted or invalidated. ('Person')"
    case .renamesUnknown: "Cannot rename property 'Person.x' because it does not exist."
    }
  }
}
