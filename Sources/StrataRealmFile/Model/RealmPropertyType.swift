/// The types of values in a file.
public enum RealmPropertyType: String, Sendable, Hashable, CaseIterable {
  /// Integers of every width, enums of integers.
  case int
  case bool
  case float
  case double
  case string
  case data
  case date
  case decimal
  case objectId
  case uuid
  /// `AnyRealmValue`: a value together with its type.
  case mixed
  /// A link to an object, or to an embedded one.
  case object
}
