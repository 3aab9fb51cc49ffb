package import StrataSchema

/// A constant of a condition, with its type in the program.
package enum QueryValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Float)
  case double(Double)
  /// A `Decimal128` as its exact text, including `NaN` and `Infinity`.
  case decimal(String)
  case string(String)
  case data([UInt8])
  /// A date as its text in the file.
  case date(String)
  /// A UUID as its text in the file.
  case uuid(String)
  /// An `ObjectId` as its text in the file.
  case objectId(String)
  case object(QueryObject)
  /// A value that is stored as an embedded object, whose members are compared.
  case members(QueryMembers)
  /// A list or a dictionary of an `AnyRealmValue`, as its text in the file.
  case nested(String)
  /// An area on the Earth's surface.
  case shape(GeoShape)
  /// A value of a type that no property can have. The message names the type.
  case unsupported(typeName: String)
}

/// An object in a comparison.
package struct QueryObject: @unchecked Sendable, Hashable {
  package let className: String
  /// The identity of its row; nil for an unmanaged or deleted object.
  package let row: Int64?
  /// The identity of the open file, shared by all its objects; nil for an unmanaged object.
  package let file: ObjectIdentifier?
  /// The object itself.
  // guarded by: its place. Other threads use only its identity.
  package let instance: AnyObject?

  package init(className: String, row: Int64?, file: ObjectIdentifier?, instance: AnyObject?) {
    self.className = className
    self.row = row
    self.file = file
    self.instance = instance
  }

  package static func == (first: QueryObject, second: QueryObject) -> Bool {
    guard first.className == second.className else { return false }
    if first.row != nil || second.row != nil {
      return first.row == second.row && first.file == second.file
    }
    return first.instance === second.instance
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(className)
    hasher.combine(row)
  }
}

extension QueryValue {
  /// The Swift type, for messages.
  package var typeName: String {
    switch self {
    case .null, .bool, .int, .float, .double, .decimal, .string, .data, .date, .uuid, .objectId:
      type?.swiftName ?? "nil"
    case .object(let object): object.className
    case .members(let members): members.className
    case .nested(let text):
      text.hasPrefix("[") ? "List<AnyRealmValue>" : "Map<String, AnyRealmValue>"
    case .shape(let shape): shape.typeName
    case .unsupported(let name): name
    }
  }

  /// The type of a property with such values; nil for nil, and for types that no property can have.
  package var type: PropertyType? {
    switch self {
    case .null, .shape, .unsupported: nil
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .decimal: .decimal128
    case .string: .string
    case .data: .data
    case .date: .date
    case .uuid: .UUID
    case .objectId: .objectId
    case .object, .members: .object
    case .nested: .any
    }
  }
}

/// A value that is stored as an embedded object. Values with equal members are equal.
package struct QueryMembers: Sendable, Hashable {
  package let className: String
  /// The values of the members, by their columns, without links and collections, which can't be
  /// compared.
  package let values: [String: QueryValue]

  package init(className: String, values: [String: QueryValue]) {
    self.className = className
    self.values = values
  }
}
