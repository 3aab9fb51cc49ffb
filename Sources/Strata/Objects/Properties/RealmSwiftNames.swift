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
