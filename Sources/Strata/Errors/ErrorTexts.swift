/// The sentences that more than one place needs, and those that users of Realm search for verbatim.
enum ErrorText {
  static func lowerVersion(_ provided: UInt64, stored: UInt64) -> String {
    "Provided schema version \(provided) is less than last set version \(stored)."
  }

  static func differentVersionReadOnly(_ provided: UInt64, stored: UInt64) -> String {
    "Provided schema version \(provided) does not equal last set version \(stored)."
  }

  static func notInitialized(_ path: String) -> String {
    "Realm at path '\(path)' has not been initialized."
  }

  static func validation(_ problems: [String]) -> String {
    "Schema validation failed due to the following errors:" + problems.map { "\n- \($0)" }.joined()
  }

  static func invalidSubset(_ problems: [String]) -> String {
    "Invalid class subset list:" + problems.map { "\n- \($0)" }.joined()
  }

  static func missingTarget(_ target: String, of property: String, _ className: String) -> String {
    "'\(className).\(property)' links to class '\(target)', which is missing from the list of "
      + "classes managed by the Realm"
  }

  /// - Parameter known: The names that would have been right.
  static func invalidPropertyName(
    _ name: String, _ className: String, known: [String] = []
  ) -> String {
    "Invalid property name '\(name)' for class '\(className)'."
      + (known.isEmpty ? "" : " It has: \(known.joined(separator: ", ")).")
  }

  static func notManaged(_ className: String) -> String {
    "Object type '\(className)' is not managed by the Realm. If using a custom `objectClasses` / "
      + "`objectTypes` array in your configuration, add `\(className)` to the list of "
      + "`objectClasses` / `objectTypes`."
  }

  /// What is added for a generic class.
  static func genericClass(_ className: String) -> String {
    " '\(className)' is generic: the program has no list of the types that such a class is used "
      + "with, so it is never found by itself. Name it in 'objectTypes', or use a class that "
      + "inherits from it and isn't generic."
  }

  static func unstorable(_ property: Property, of className: String) -> String {
    "The value of '\(className).\(property.name)' can't be stored: \(noPlace(for: property.type)). "
      + "Give it a value that can be, or make the property optional and set it to nil."
  }

  static func unstorableElement(of type: PropertyType) -> String {
    "A value of a collection can't be stored: \(noPlace(for: type)). Leave it out, or make the "
      + "elements optional and add nil."
  }

  /// - Parameter place: The property, between quotes; nil where it isn't known.
  static func tooLong(_ count: Int, limit: Int, place: String?) -> String {
    let subject = place.map { "The value of \($0)" } ?? "A value"
    return "\(subject) can't be stored: it has \(count) bytes, and SQLite keeps no more than \(limit) "
      + "in a value, nor in a row. Keep it in a file of its own, or divide it among several "
      + "objects."
  }

  private static func noPlace(for type: PropertyType) -> String {
    switch type {
    case .float, .double: "SQLite has no NaN and would store NULL"
    case .date: "dates in files are in the years 0000 to 9999"
    default: "SQLite refused it"
    }
  }

  static let primaryKeyChange = "Primary key can't be changed after an object is inserted."
  static let deleted = "Object has been deleted or invalidated."
  static let outsideWrite =
    "Cannot modify managed objects outside of a write transaction."
  static let managedEmbedded = "Cannot set a link to an existing managed embedded object."
  static let otherRealm =
    "Object is already managed by another Realm. Use create instead to copy it into this Realm."
}

extension RealmError {
  /// A value that is of another type than the property.
  static func invalidValue(_ value: Any?, for property: Property, of className: String)
    -> RealmError
  {
    let (text, type) = value.map { ("\($0)", "\(Swift.type(of: $0))") } ?? ("(null)", "(null)")
    let rest =
      "of type '\(type)' for '\(property.typeName)\(property.allowsNil ? "?" : "")' "
      + "property '\(className).\(property.name)'."
    return RealmError(.fail, "Invalid value '\(text)' \(rest)", logged: "Invalid value \(rest)")
  }

  /// An object with the primary key of another one.
  static func existingPrimaryKey(
    _ value: String, of className: String, underlyingError: any Error
  ) -> RealmError {
    let start =
      "Attempting to create an object of type '\(className)' with an existing primary key value"
    let repair = "Use 'update: .modified' to change the object that has it."
    return RealmError(
      .fail, "\(start) '\(value)'. \(repair)", logged: "\(start). \(repair)",
      underlyingError: underlyingError)
  }
}
