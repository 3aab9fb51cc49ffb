/// A type that a `@Persisted` property can have.
///
/// `Bool`, the `Int` family, `Float`, `Double`, ``Decimal128``, `String`, `Data`, `Date`, `UUID`,
/// ``ObjectId``, enums that adopt ``PersistableEnum``, and the optionals of all of these are
/// persistable. The requirements with a leading underscore belong to the library.
public protocol Persistable {
  /// The type as schemas and messages name it.
  static var _propertyType: PropertyType { get }

  /// Whether nil is a value of this type.
  static var _isOptional: Bool { get }

  /// The value of a required property that nobody set: 0, "", 1970, an id of zeros; nil if
  /// optional.
  static func _zero() -> Self

  /// What a new object has in a property that declares no default: as RealmSwift, a new `UUID` or
  /// `ObjectId`, the `Date` of now, and otherwise the zero.
  static func _initial() -> Self

  /// The functions that read and write a `Persisted<Self>` at a distance from an object's address.
  static func _accessor(offset: Int) -> _PropertyAccessor

  /// The same for `Persisted<Self?>`. A requirement, so that the compiler specialises its closures.
  static func _optionalAccessor(offset: Int) -> _PropertyAccessor
}

/// A persistable type whose value is kept in one column of its object's table.
///
/// `statement` is an `sqlite3_stmt *`; `index` counts columns from 0, and parameters from 1.
public protocol _Scalar: Persistable {
  /// Reads a column of the current row; nil when what is there is no value of this type.
  static func _read(_ statement: OpaquePointer, _ index: Int32) -> Self?

  /// Binds the value to a parameter; false when SQLite has no place for it (NaN, the year 12,000).
  func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool

  /// The value that SQLite keeps; nil when it has no place for it.
  var _stored: StoredValue? { get }

  /// The value that SQLite kept; nil when it is no value of this type.
  init?(_stored: StoredValue)

  /// Accepts a value of unknown type, as in `object["age"] = 3`; nil when it doesn't fit.
  static func _convert(_ value: Any) -> Self?

  /// The value as dynamic access shows it: `Int` for each width, the raw value of an enum.
  var _dynamic: Any? { get }
}

extension Persistable {
  @inlinable public static func _initial() -> Self { _zero() }
}

extension _Scalar {
  public static var _isOptional: Bool { false }
}

extension Optional: Persistable where Wrapped: Persistable {
  public static var _propertyType: PropertyType { Wrapped._propertyType }
  public static var _isOptional: Bool { true }
  @inlinable public static func _zero() -> Self { .none }

  public static func _accessor(offset: Int) -> _PropertyAccessor {
    Wrapped._optionalAccessor(offset: offset)
  }

  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    stopForProgrammerError("A property can't be an optional of an optional: '\(Self.self)?'.")
  }
}

extension Optional: _Scalar where Wrapped: _Scalar {
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
    Wrapped._convert(value).map(Optional.some)
  }

  public var _dynamic: Any? { self?._dynamic }
}
