package import StrataSchema

/// Sentences that several files use, and sentences that users of Realm search for verbatim.
package enum ErrorText {
  package static func lowerVersion(_ provided: UInt64, stored: UInt64) -> String {
    "Provided schema version \(provided) is less than last set version \(stored)."
  }

  package static func differentVersionReadOnly(_ provided: UInt64, stored: UInt64) -> String {
    "Provided schema version \(provided) does not equal last set version \(stored)."
  }

  static let permissionDenied =
    "Permission denied. Please use a path where your app has read-write permissions."

  package static func notInitialized(_ path: String) -> String {
    "Realm at path '\(path)' has not been initialized."
  }

  package static func validation(_ problems: [String]) -> String {
    "Schema validation failed due to the following errors:" + problems.map { "\n- \($0)" }.joined()
  }

  package static func invalidSubset(_ problems: [String]) -> String {
    "Invalid class subset list:" + problems.map { "\n- \($0)" }.joined()
  }

  package static func missingTarget(_ target: String, of property: String, _ className: String)
    -> String
  {
    "'\(className).\(property)' links to class '\(target)', which is missing from the list of "
      + "classes managed by the Realm"
  }

  package static func invalidPropertyName(
    _ name: String, _ className: String, known: [String] = []
  ) -> String {
    "Invalid property name '\(name)' for class '\(className)'."
      + (known.isEmpty ? "" : " It has: \(known.joined(separator: ", ")).")
  }

  package static func notManaged(_ className: String) -> String {
    "Object type '\(className)' is not managed by the Realm. If using a custom `objectClasses` / "
      + "`objectTypes` array in your configuration, add `\(className)` to the list of "
      + "`objectClasses` / `objectTypes`."
  }

  /// Returns an addition for a generic class.
  package static func genericClass(_ className: String) -> String {
    " '\(className)' is generic, and generic classes are not found automatically. Name it in "
      + "'objectTypes', or use a subclass that isn't generic."
  }

  package static func unstorable(_ property: Property, of className: String) -> String {
    "The value of '\(className).\(property.name)' can't be stored: \(noPlace(for: property.type)). "
      + (property.type == .any
        ? "Set another value, or '.none'."
        : "Set another value, or make the property optional and set it to nil.")
  }

  /// - Parameter place: The property, between quotes.
  package static func nestedGone(_ place: String) -> String {
    "A list or dictionary inside of \(place) can't be changed: it was removed or replaced. Read it "
      + "from the object again."
  }

  package static func nestedTooDeep(_ limit: Int) -> String {
    "A value can't be stored: its lists and dictionaries are nested more than \(limit) levels "
      + "deep. Store the innermost values as an object, or in a property of its own."
  }

  package static let nestedInSet =
    "A list or a dictionary can't be an element of a 'MutableSet<AnyRealmValue>'. Use a 'List' or a "
    + "'Map'."

  package static func unstorableElement(of type: PropertyType) -> String {
    "A value of a collection can't be stored: \(noPlace(for: type)). Leave it out, or make the "
      + "elements optional and add nil."
  }

  private static func noPlace(for type: PropertyType) -> String {
    switch type {
    case .float, .double: "SQLite has no NaN and would store NULL"
    case .date: "dates in files are in the years 0000 to 9999"
    case .any: "SQLite has no NaN, and dates in files are in the years 0000 to 9999"
    default: "SQLite refused it"
    }
  }

  package static func embeddedAlone(_ className: String) -> String {
    "Embedded objects cannot be created directly. Set a property of the object that the one of "
      + "'\(className)' is to be a part of, or add it to one of its collections."
  }

  /// Returns the error of a key path that doesn't name a property of the file.
  package static func computedKeyPath(_ className: String, _ type: String) -> String {
    "A key path of '\(className)' with values of type '\(type)' is not a property of the file: "
      + "it computes a value. Name a '@Persisted' property of '\(className)', or of an object that it "
      + "links to."
  }

  package static func orderOfValues(_ keyPath: String, _ verb: String) -> String {
    "Cannot \(verb) on key path '\(keyPath)': values that are no objects have no properties. Leave out "
      + "the key path."
  }

  package static let primaryKeyChange = "Primary key can't be changed after an object is inserted."
  package static let deleted = "Object has been deleted or invalidated."
  package static let outsideWrite =
    "Cannot modify managed objects outside of a write transaction."
  package static let managedEmbedded = "Cannot set a link to an existing managed embedded object."

  package static func embeddedTwice(_ className: String) -> String {
    "The value has the same object in several places of embedded objects of class '\(className)': give "
      + "each place an object or a dictionary of its own."
  }
  package static func incorrectThread(owner: String, current: String) -> String {
    "Realm accessed from incorrect thread. It belongs to \(owner), but is used in \(current). Open "
      + "another one there with 'Realm()', and get the objects from it; an actor keeps the realm "
      + "that it gets from 'Realm.open()'."
  }

  package static let incorrectQueue = "Realm opened from incorrect dispatch queue."

  package static func invalidQueue(_ label: String) -> String {
    "Invalid queue '\(label)': Realms can only be confined to serial queues or the main queue."
  }

  package static func nestedWrite(_ place: String) -> String {
    "The Realm is already in a write transaction. Another realm of the file began it in \(place), "
      + "which would wait for itself. Use that realm, or end its transaction first."
  }

  package static let unmanagedObjectNotifications =
    "Only objects which are managed by a Realm support change notifications"
  package static let unmanagedCollectionNotifications =
    "Change notifications are only supported on managed collections."
  /// - Parameter place: The property, between quotes.
  package static func nestedNotifications(_ place: String) -> String {
    "A list or a dictionary inside of an 'AnyRealmValue' can't be observed. Observe the object "
      + "with \(place): each change of the collection is a change of that property."
  }

  package static let frozenTransaction = "Can't perform transactions on a frozen Realm"
  package static let frozenObject =
    "Attempting to modify a frozen object - call thaw on the Object instance first."

  package static func frozenCollection(_ type: String) -> String {
    "Attempting to modify a frozen \(type) - call thaw on the \(type) instance first."
  }

  package static let frozenNotifications =
    "Frozen Realms do not change and do not have change notifications."
  package static let readOnlyNotifications =
    "Read-only Realms do not change and do not have change notifications."
  package static let silencedElsewhere =
    "Incorrect Realm: only notifications for the Realm being modified can be skipped."
  package static let alreadyWriting = "The Realm is already in a write transaction."
  package static let abandoned =
    "A write transaction was rolled back, because others waited to write and nothing happened in it. "
    + "Use 'write', or call 'commitWrite' or 'cancelWrite' soon after 'beginWrite', also after an error."
  package static let collectionNameTaken =
    "Unsupported schema changes were made by another client or process: it added a class whose name the "
    + "table of a collection had. Close the realm and open it again."
  package static let otherRealm =
    "Object is already managed by another Realm. Use create instead to copy it into this Realm."
}

extension RealmError {
  /// Returns the error of a value whose type doesn't match the property.
  package static func invalidValue(_ value: Any?, for property: Property, of className: String)
    -> RealmError
  {
    let (text, type) = value.map { ("\($0)", "\(Swift.type(of: $0))") } ?? ("(null)", "(null)")
    let rest =
      "of type '\(type)' for '\(property.typeName)\(property.allowsNil ? "?" : "")' "
      + "property '\(className).\(property.name)'."
    return RealmError(.fail, "Invalid value '\(text)' \(rest)", logged: "Invalid value \(rest)")
  }

  /// Returns the error of an object of another class that lacks a value for a new object.
  package static func missingProperty(
    _ property: String, of source: String, for className: String
  ) -> RealmError {
    RealmError(
      .fail,
      "Invalid value '\(source)' to initialize object of type '\(className)': missing key "
        + "'\(property)'. Give a dictionary with the values that exist.")
  }

  /// Returns the error of an object whose primary key another object has.
  package static func existingPrimaryKey(
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
