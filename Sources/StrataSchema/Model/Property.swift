/// One persisted (or computed) property of a class.
///
/// Two properties are equal if they are the same in a file; whether one of them is the primary key
/// depends on its class. A property has two names: its Swift name, and the name of its column in
/// the file. They differ only if `propertiesMapping()` maps the name.
public struct Property: Sendable, Hashable {
  /// The Swift name of the property.
  public package(set) var name: String

  /// The name of the column in the file.
  public package(set) var columnName: String

  /// The type of the value, or of the elements of a collection.
  public package(set) var type: PropertyType

  /// The class that a link, a collection of objects or a set of linking objects refers to.
  public package(set) var objectClassName: String?

  /// Whether nil is a value of the property, or of the elements of a collection.
  ///
  /// False for an `AnyRealmValue`, which has a case for nil: its Swift type is not an optional.
  public var isOptional: Bool { allowsNil && type != .any }

  /// Whether there is an index, for a collection an index of its elements. True if the model
  /// requests it, or if the property is the primary key, which always has a unique index.
  public var isIndexed: Bool { wantsIndex || isPrimaryKey }

  /// Whether nil is a value in the file. True for an `AnyRealmValue`.
  package var allowsNil: Bool

  package var wantsIndex: Bool

  package var wantsTextIndex: Bool

  /// Whether the property was the primary key of its class when it was described.
  package var isPrimaryKey = false

  /// The kind of collection; nil for a single value.
  public package(set) var collection: CollectionKind?

  /// The name of a collection's table; nil for the default name, which consists of the class and
  /// the column.
  package var tableName: String?

  /// For linking objects, the property whose links are followed backwards.
  package var linkOriginPropertyName: String?

  /// Creates a property. By default the column has the property's name.
  package init(
    name: String,
    columnName: String? = nil,
    type: PropertyType,
    objectClassName: String? = nil,
    collection: CollectionKind? = nil,
    isOptional: Bool = false,
    isIndexed: Bool = false,
    hasTextIndex: Bool = false,
    tableName: String? = nil,
    linkOriginPropertyName: String? = nil
  ) {
    self.name = name
    self.columnName = columnName ?? name
    self.type = type
    self.objectClassName = objectClassName
    self.collection = collection
    allowsNil = isOptional
    wantsIndex = isIndexed
    wantsTextIndex = hasTextIndex
    self.tableName = tableName
    self.linkOriginPropertyName = linkOriginPropertyName
  }

  /// Whether the property is a `List`.
  public var isArray: Bool { collection == .list }

  /// Whether the property is a `MutableSet`.
  public var isSet: Bool { collection == .set }

  /// Whether the property is a `Map`.
  public var isMap: Bool { collection == .map }
}

extension Property {
  public static func == (first: Property, second: Property) -> Bool {
    first.name == second.name && first.columnName == second.columnName
      && first.type == second.type && first.objectClassName == second.objectClassName
      && first.collection == second.collection && first.allowsNil == second.allowsNil
      && first.wantsIndex == second.wantsIndex
      && first.wantsTextIndex == second.wantsTextIndex
      && first.tableName == second.tableName
      && first.linkOriginPropertyName == second.linkOriginPropertyName
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(columnName)
    hasher.combine(type)
  }
}

extension Property {
  /// The type in messages: `int`, `<Dog>`, `array<int>`, `dictionary<string, Dog>`.
  ///
  /// Optionality is never shown. Two properties with the same type name hold the same values.
  package var typeName: String {
    let element = type == .object ? objectClassName ?? "" : type.rawValue
    switch collection {
    case .list: return "array<\(element)>"
    case .set: return "set<\(element)>"
    case .map: return "dictionary<string, \(element)>"
    case nil: break
    }
    switch type {
    case .object: return "<\(element)>"
    case .linkingObjects: return "linking objects<\(objectClassName ?? "")>"
    default: return element
    }
  }

  /// Whether the property is computed from others and is not stored in the file.
  package var isComputed: Bool { type == .linkingObjects }

  /// Whether the value is in a column of the class's table.
  package var isStoredInColumn: Bool { collection == nil && !isComputed }

  /// Whether the value, or an element of the collection, may be NULL in the file.
  package var isNullable: Bool { allowsNil || type.isAlwaysNullable }

  /// The property with its name in the file, the column name.
  package var stored: Property {
    var copy = self
    copy.name = columnName
    return copy
  }
}

/// The stored form of a property: see ``Schema``.
extension Property: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, type, target, collection, optional, indexed, fullText, table
  }

  /// Reads the stored form. The property's name is then its column's name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      type: try container.decode(PropertyType.self, forKey: .type),
      objectClassName: try container.decodeIfPresent(String.self, forKey: .target),
      collection: try container.decodeIfPresent(CollectionKind.self, forKey: .collection),
      isOptional: try container.decodeIfPresent(Bool.self, forKey: .optional) ?? false,
      isIndexed: try container.decodeIfPresent(Bool.self, forKey: .indexed) ?? false,
      hasTextIndex: try container.decodeIfPresent(Bool.self, forKey: .fullText) ?? false,
      tableName: try container.decodeIfPresent(String.self, forKey: .table)
    )
  }

  /// Writes the stored form, under the name of the column.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(columnName, forKey: .name)
    try container.encode(type, forKey: .type)
    try container.encodeIfPresent(objectClassName, forKey: .target)
    try container.encodeIfPresent(collection, forKey: .collection)
    if allowsNil { try container.encode(true, forKey: .optional) }
    if wantsIndex { try container.encode(true, forKey: .indexed) }
    if wantsTextIndex { try container.encode(true, forKey: .fullText) }
    try container.encodeIfPresent(tableName, forKey: .table)
  }
}

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
