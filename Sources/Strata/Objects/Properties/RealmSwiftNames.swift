public import Foundation
import StrataStorage

/// RealmSwift's name for a type of `@Persisted` properties, for extensions in programs.
public typealias _Persistable = Persistable & RealmCollectionValue

/// RealmSwift's name for any type that a schema can describe, for extensions in programs.
public typealias _RealmSchemaDiscoverable = _PropertyValue

extension _PropertyValue {
  /// The type in schemas.
  public static var _rlmType: PropertyType { _propertyType }
}

/// RealmSwift's name for a type whose optional can be an element. Here, this is true for every
/// element type.
public typealias _RealmCollectionValueInsideOptional = RealmCollectionValue

/// RealmSwift's name for an optional in conditions of extensions.
public typealias OptionalProtocol = _OptionalProtocol

/// A type that a primary key can have.
///
/// ```swift
/// enum Kind: Int, PersistableEnum, _PrimaryKey { case book, film }
/// ```
/// Enums and custom types may be primary keys without this conformance, because their stored type
/// decides.
public protocol _PrimaryKey {}

/// A type that can be converted from a value of unknown type.
///
/// The name is RealmSwift's, where such values come from Objective-C.
public protocol _ObjcBridgeable {
  /// Converts a value of unknown type; nil if it doesn't fit.
  static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self?

  /// The value for dynamic access.
  var _rlmObjcValue: Any { get }
}

extension _ObjcBridgeable {
  /// Converts a value of unknown type; nil if it doesn't fit.
  public static func _rlmFromObjc(_ value: Any) -> Self? {
    _rlmFromObjc(value, insideOptional: false)
  }
}

extension _ObjcBridgeable where Self: _Scalar {
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? {
    unwrapped(value).flatMap { _convert($0) }
  }

  public var _rlmObjcValue: Any { _dynamic ?? self }
}

// The types of values, and what they can be used for.

private typealias ValueType = SortableType & _ObjcBridgeable
private typealias NumberType = ValueType & _QueryNumeric & MinMaxType & AddableType

extension Int: NumberType, _PrimaryKey { public typealias PersistedType = Int }
extension Int8: NumberType, _PrimaryKey { public typealias PersistedType = Int8 }
extension Int16: NumberType, _PrimaryKey { public typealias PersistedType = Int16 }
extension Int32: NumberType, _PrimaryKey { public typealias PersistedType = Int32 }
extension Int64: NumberType, _PrimaryKey { public typealias PersistedType = Int64 }
extension Bool: ValueType { public typealias PersistedType = Bool }
extension Float: NumberType { public typealias PersistedType = Float }
extension Double: NumberType { public typealias PersistedType = Double }
extension String: ValueType, _QueryString, _PrimaryKey { public typealias PersistedType = String }
extension Data: ValueType, _QueryBinary { public typealias PersistedType = Data }
extension Date: ValueType, _QueryNumeric, MinMaxType { public typealias PersistedType = Date }
extension UUID: ValueType, _PrimaryKey { public typealias PersistedType = UUID }
extension ObjectId: ValueType, _PrimaryKey { public typealias PersistedType = ObjectId }
extension Decimal128: NumberType { public typealias PersistedType = Decimal128 }

extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}
