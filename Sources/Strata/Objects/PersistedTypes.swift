public import Foundation
import StrataStorage

/// RealmSwift's name for a type that knows its stored type.
public typealias _HasPersistedType = RealmCollectionValue

extension Int: SortableType { public typealias PersistedType = Int }
extension Int8: SortableType { public typealias PersistedType = Int8 }
extension Int16: SortableType { public typealias PersistedType = Int16 }
extension Int32: SortableType { public typealias PersistedType = Int32 }
extension Int64: SortableType { public typealias PersistedType = Int64 }
extension Bool: SortableType { public typealias PersistedType = Bool }
extension Float: SortableType { public typealias PersistedType = Float }
extension Double: SortableType { public typealias PersistedType = Double }
extension String: SortableType { public typealias PersistedType = String }
extension Data: SortableType { public typealias PersistedType = Data }
extension Date: SortableType { public typealias PersistedType = Date }
extension UUID: SortableType { public typealias PersistedType = UUID }
extension ObjectId: SortableType { public typealias PersistedType = ObjectId }
extension Decimal128: SortableType {
  public typealias PersistedType = Decimal128
}

/// The types of properties that ``RowAccess`` reads and binds without a closure.
enum ColumnKind: UInt8 {
  case int, bool, double, string, date, uuid
  case optionalInt, optionalBool, optionalDouble, optionalString, optionalDate, optionalUUID
  case link
  /// Any other type, accessed by its accessor.
  case other
  /// A custom type, accessed by its accessor, which runs the program's own code.
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

/// A type by whose values results can be sorted.
public protocol SortableType {}

/// A type whose values a query can compare by `<`, and compute with.
public protocol _QueryNumeric {}

/// A type whose values a query can search for a part: `String` and `Data`.
public protocol _QueryBinary {}

/// A type whose values a query can compare with a pattern: `String`.
public protocol _QueryString: _QueryBinary {}

/// An optional, in conditions of extensions.
public protocol _OptionalProtocol<Wrapped> {
  /// The wrapped type.
  associatedtype Wrapped
}

extension Optional: _OptionalProtocol {}

extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryNumeric {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}

extension String: _QueryString {}
extension Data: _QueryBinary {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: _QueryString where Wrapped: _QueryString {}
