import Foundation
import StrataStorage

/// The type of a property, as schemas describe it.
public protocol _PropertyValue {
  /// The type as schemas and messages name it.
  static var _propertyType: PropertyType { get }

  /// The class to which a link, or a collection of objects, leads.
  static var _objectType: ObjectBase.Type? { get }
}

/// A type whose optional a `@Persisted` property can have: each type of single values except
/// `AnyRealmValue`, and model classes.
///
/// The requirements with a leading underscore belong to the library.
public protocol _OptionalPersistable: _PropertyValue {
  /// The functions that read and write a `Persisted<Self?>` at an offset from an object's address.
  /// A requirement, so that the compiler specializes the closures.
  static func _optionalAccessor(offset: Int) -> _PropertyAccessor

  /// The value of a managed object's property, if it differs from the one in memory.
  static func _managedOptional(_ stored: Self?, of owner: ObjectBase, _ slot: _PropertySlot)
    -> Self?

  /// Sets a property of a managed or unmanaged object; false if the value must be kept in memory.
  static func _setOptional(_ value: Self?, of owner: ObjectBase, _ slot: _PropertySlot) -> Bool
}

extension _PropertyValue {
  public static var _objectType: ObjectBase.Type? { nil }
}

extension _OptionalPersistable {
  @inlinable @inline(__always)
  public static func _managedOptional(_ stored: Self?, of owner: ObjectBase, _ slot: _PropertySlot)
    -> Self?
  {
    stored
  }

  @inlinable @inline(__always)
  public static func _setOptional(_ value: Self?, of owner: ObjectBase, _ slot: _PropertySlot)
    -> Bool
  {
    false
  }
}

/// A type that a `@Persisted` property can have.
///
/// `Bool`, the `Int` family, `Float`, `Double`, `String`, `Data`, `Date`, `UUID`, ``ObjectId``,
/// ``Decimal128``, enums that adopt ``PersistableEnum``, types that adopt ``CustomPersistable``,
/// and the optionals of all of these are persistable; so are ``AnyRealmValue``, optional links to
/// objects, ``List``, ``MutableSet``, ``Map`` and ``LinkingObjects``, which have no optionals. The
/// requirements with a leading underscore belong to the library.
public protocol Persistable: _PropertyValue {
  /// Whether nil is a value of this type, or of the elements of this collection.
  static var _isOptional: Bool { get }

  /// The kind of collection; nil for a single value.
  static var _collection: CollectionKind? { get }

  /// The value of an unset required property: 0, "", 1970, an id of zeros; nil if optional.
  static func _zero() -> Self

  /// The value of a property without a default in a new object. As in RealmSwift: a new `UUID`, the
  /// current `Date`, otherwise the zero.
  static func _initial() -> Self

  /// The value of a property in an object from a file until its row is read: the zero, or the
  /// declared default for a type that may have no zero.
  static func _placeholder(_ defaultValue: @autoclosure () -> Self) -> Self

  /// The functions that read and write a `Persisted<Self>` at an offset from an object's address.
  static func _accessor(offset: Int) -> _PropertyAccessor

  /// The value of a managed object's property, if it differs from the one in memory.
  static func _managed(_ stored: Self, of owner: ObjectBase, _ slot: _PropertySlot) -> Self

  /// Sets a property of a managed or unmanaged object; false if the value must be kept in memory.
  static func _set(_ value: Self, of owner: ObjectBase, _ slot: _PropertySlot) -> Bool

  /// The value that an unmanaged object's property holds after a value was set: the new value. A
  /// collection property keeps its collection, with the new elements.
  static func _held(_ value: Self, insteadOf stored: @autoclosure () -> Self) -> Self
}

/// A persistable type whose value is stored in one column of its object's table.
///
/// `statement` is an `sqlite3_stmt *`; `index` counts parameters from 1.
public protocol _Scalar: Persistable, RealmCollectionValue {
  /// Reads the value of a column, an `sqlite3_value *`; nil for a value of another type.
  static func _read(_ value: OpaquePointer?) -> Self?

  /// Binds the value to a parameter; false if SQLite can't store the value (NaN, the year 12,000).
  func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool

  /// Makes the value the result of an SQL function, with its `sqlite3_context *`; false if SQLite
  /// can't store the value.
  func _giveResult(_ context: OpaquePointer) -> Bool

  /// The value that SQLite stores; nil if it can't store the value.
  var _stored: StoredValue? { get }

  /// Converts a stored value; nil if it is not of this type.
  init?(_stored: StoredValue)

  /// Converts a value of unknown type, as in `object["age"] = 3`; nil if it doesn't fit.
  static func _convert(_ value: Any) -> Self?

  /// Whether a value of unknown type can be stored in place of a value of this type, but not
  /// converted to one: a raw value without a case, which an optional property reads as nil.
  static func _isUnknownForm(_ value: Any) -> Bool

  /// The value for dynamic access: `Int` for each width, the raw value of an enum.
  var _dynamic: Any? { get }
}

extension Persistable {
  public static var _collection: CollectionKind? { nil }
  @inlinable public static func _initial() -> Self { _zero() }

  @inlinable @inline(__always)
  public static func _placeholder(_ defaultValue: @autoclosure () -> Self) -> Self { _zero() }

  @inlinable @inline(__always)
  public static func _managed(_ stored: Self, of owner: ObjectBase, _ slot: _PropertySlot) -> Self {
    stored
  }

  @inlinable @inline(__always)
  public static func _set(_ value: Self, of owner: ObjectBase, _ slot: _PropertySlot) -> Bool {
    false
  }

  @inlinable @inline(__always)
  public static func _held(_ value: Self, insteadOf _: @autoclosure () -> Self) -> Self { value }
}

extension _Scalar {
  public static var _isOptional: Bool { false }
  public static func _isUnknownForm(_ value: Any) -> Bool { false }
  public var _dynamic: Any? { self }
}

extension Optional: _PropertyValue, Persistable where Wrapped: _OptionalPersistable {
  public static var _propertyType: PropertyType { Wrapped._propertyType }
  public static var _objectType: ObjectBase.Type? { Wrapped._objectType }
  public static var _isOptional: Bool { true }
  @inlinable public static func _zero() -> Self { .none }

  public static func _accessor(offset: Int) -> _PropertyAccessor {
    Wrapped._optionalAccessor(offset: offset)
  }

  @inlinable @inline(__always)
  public static func _managed(_ stored: Self, of owner: ObjectBase, _ slot: _PropertySlot) -> Self {
    Wrapped._managedOptional(stored, of: owner, slot)
  }

  @inlinable @inline(__always)
  public static func _set(_ value: Self, of owner: ObjectBase, _ slot: _PropertySlot) -> Bool {
    Wrapped._setOptional(value, of: owner, slot)
  }
}

extension Optional: _Scalar where Wrapped: _Scalar & _OptionalPersistable {
  public var _stored: StoredValue? {
    guard let self else { return .null }
    return self._stored
  }

  public init?(_stored: StoredValue) {
    if _stored == .null {
      self = .none
    } else if let value = Wrapped(_stored: _stored) {
      self = .some(value)
    } else {
      return nil
    }
  }

  public static func _convert(_ value: Any) -> Self? {
    if let converted = Wrapped._convert(value) { return .some(converted) }
    return Wrapped._isUnknownForm(value) ? .some(.none) : nil
  }

  public var _dynamic: Any? { self?._dynamic }
}

extension PropertyType {
  /// The type of the values in memory; nil for links and `AnyRealmValue`.
  var scalar: (any (_Scalar & _OptionalPersistable).Type)? {
    switch self {
    case .int: Int.self
    case .bool: Bool.self
    case .float: Float.self
    case .double: Double.self
    case .string: String.self
    case .data: Data.self
    case .date: Date.self
    case .UUID: Foundation.UUID.self
    case .objectId: ObjectId.self
    case .decimal128: Decimal128.self
    case .any, .object, .linkingObjects: nil
    }
  }
}

/// RealmSwift's name for a type that knows its stored type.
public typealias _HasPersistedType = RealmCollectionValue

/// The types of properties that ``RowAccess`` reads and binds without a closure.
enum ColumnKind: UInt8 {
  case int, bool, double, string, date, uuid
  case optionalInt, optionalBool, optionalDouble, optionalString, optionalDate, optionalUUID
  case link
  /// Any other type, accessed by its accessor.
  case other
  /// A custom type, accessed by its accessor, which runs the program's own code.
  case custom

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

/// A type whose values can be summed.
public protocol AddableType {}

/// A type whose values have a minimum and a maximum.
public protocol MinMaxType {}

/// A type whose values a query can compare by `<`, and compute with.
public protocol _QueryNumeric: _QueryOrdered {}

/// A type whose values a query can compare by `<`: numbers and dates by their values, strings by
/// bytes.
public protocol _QueryOrdered {}

/// A type whose values a query can search for a part: `String` and `Data`.
public protocol _QueryBinary {}

/// A type whose values a query can compare with a pattern: `String`.
public protocol _QueryString: _QueryBinary, _QueryOrdered {}

/// An optional, in conditions of extensions.
public protocol _OptionalProtocol<Wrapped> {
  /// The wrapped type.
  associatedtype Wrapped
}

extension Optional: _OptionalProtocol {}

extension Optional: _QueryOrdered where Wrapped: _QueryOrdered {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: _QueryString where Wrapped: _QueryString {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
