import Foundation

/// The types of properties that ``RowAccess`` reads and binds without a closure.
enum ColumnKind: UInt8 {
  case int, bool, double, string, date, uuid
  case optionalInt, optionalBool, optionalDouble, optionalString, optionalDate, optionalUUID
  case link
  /// Any other type, by its accessor.
  case other
  /// A type of the program, by its accessor, which runs the program's own code.
  case custom

  /// The kind of a scalar type.
  init(_ type: Any.Type) {
    self = Self.kinds[ObjectIdentifier(type)] ?? .other
  }

  private static let kinds: [ObjectIdentifier: ColumnKind] = [
    ObjectIdentifier(Int.self): .int, ObjectIdentifier(Int?.self): .optionalInt,
    ObjectIdentifier(Bool.self): .bool, ObjectIdentifier(Bool?.self): .optionalBool,
    ObjectIdentifier(Double.self): .double, ObjectIdentifier(Double?.self): .optionalDouble,
    ObjectIdentifier(String.self): .string, ObjectIdentifier(String?.self): .optionalString,
    ObjectIdentifier(Date.self): .date, ObjectIdentifier(Date?.self): .optionalDate,
    ObjectIdentifier(UUID.self): .uuid, ObjectIdentifier(UUID?.self): .optionalUUID,
  ]
}
