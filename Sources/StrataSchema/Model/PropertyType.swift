/// The type of a property's values.
///
/// The raw value is the name in messages:
/// `Property 'Person.age' has been changed from 'int' to 'string'.`
public enum PropertyType: String, Sendable, Hashable, Codable, CaseIterable {
  /// Integers of every width, and enums of integers.
  case int
  /// `Bool`.
  case bool
  /// `Float`.
  case float
  /// `Double`.
  case double
  /// `String`, and enums of strings.
  case string
  /// `Data`.
  case data
  /// `Date`.
  case date
  /// `UUID`.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case UUID = "uuid"
  /// `ObjectId`.
  case objectId = "object id"
  /// `Decimal128`.
  case decimal128 = "decimal"
  /// `AnyRealmValue`: a value together with its type.
  case any = "mixed"
  /// A link to one object, or the elements of a collection of objects.
  case object
  /// The objects that link to this one; computed, never stored.
  case linkingObjects = "linking objects"
}

extension PropertyType {
  /// Whether nil is always a value of the type.
  ///
  /// A link becomes nil when its target is deleted, and `AnyRealmValue` has a case for nil. Realm
  /// never reports a change of optionality for these types.
  package var isAlwaysNullable: Bool {
    switch self {
    case .any, .object, .linkingObjects: true
    default: false
    }
  }

  /// The Swift type; nil for links, whose type is the other class.
  package var swiftName: String? {
    switch self {
    case .int: "Int"
    case .bool: "Bool"
    case .float: "Float"
    case .double: "Double"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .UUID: "UUID"
    case .objectId: "ObjectId"
    case .decimal128: "Decimal128"
    case .any: "AnyRealmValue"
    case .object, .linkingObjects: nil
    }
  }

  /// Whether a single, non-collection property of this type may be the primary key.
  package var canBePrimaryKey: Bool {
    switch self {
    case .int, .string, .objectId, .UUID: true
    default: false
    }
  }

  /// Whether a property of this type may be indexed, or a collection of such values.
  package var canBeIndexed: Bool {
    switch self {
    case .int, .bool, .date, .string, .objectId, .UUID, .any: true
    default: false
    }
  }

  /// Whether a single, non-collection property of this type may be a part of an index of several.
  ///
  /// Excludes types whose conditions use no index, and `Data`, which an index would store twice.
  package var canBeInCompoundIndex: Bool {
    switch self {
    case .int, .bool, .float, .double, .date, .string, .objectId, .UUID, .object: true
    case .data, .decimal128, .any, .linkingObjects: false
    }
  }
}

/// The kinds of collections that a property may be.
public enum CollectionKind: String, Sendable, Hashable, Codable {
  /// `List`: ordered, values may repeat.
  case list
  /// `MutableSet`: unordered, each value once.
  case set
  /// `Map`: values by string key.
  case map
}
