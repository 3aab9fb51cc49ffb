import StrataStorage

/// An enum as the type of a `@Persisted` property; the file stores its raw value.
///
/// ```swift
/// enum Kind: String, PersistableEnum { case dog, cat }
/// class Pet: Object { @Persisted var kind = Kind.dog }
/// ```
///
/// The raw value is a `String`, a `Float`, a `Double` or one of the `Int` family. Adding or
/// removing cases doesn't change the schema. A raw value in the file may have no case: it reads as
/// nil if the property is optional, otherwise as the first case, and is reported through
/// `IssueReporting`.
public protocol PersistableEnum: _Scalar, _OptionalPersistable, RawRepresentable,
  CaseIterable, Comparable
where RawValue: _EnumRawValue, PersistedType == RawValue {}

/// A type that can be the raw value of a ``PersistableEnum``.
public protocol _EnumRawValue: _Scalar, Comparable {}

extension PersistableEnum {
  /// Compares the raw values.
  public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }

  public static var _propertyType: PropertyType { RawValue._propertyType }

  public static func _zero() -> Self {
    guard let first = allCases.first else {
      stopForProgrammerError("'\(Self.self)' has no cases: it can't be the type of a property.")
    }
    return first
  }

  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(Self.self, offset: offset)
  }

  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Self?.self, offset: offset)
  }

  public static func _read(_ value: OpaquePointer?) -> Self? {
    RawValue._read(value).flatMap(Self.init(rawValue:))
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    rawValue._bind(statement, index)
  }

  public var _stored: StoredValue? { rawValue._stored }

  public init?(_stored: StoredValue) {
    guard let rawValue = RawValue(_stored: _stored) else { return nil }
    self.init(rawValue: rawValue)
  }

  public static func _convert(_ value: Any) -> Self? {
    if let value = value as? Self { return value }
    return RawValue._convert(value).flatMap(Self.init(rawValue:))
  }

  public static func _isUnknownForm(_ value: Any) -> Bool { RawValue._convert(value) != nil }

  public var _dynamic: Any? { rawValue._dynamic }
}
