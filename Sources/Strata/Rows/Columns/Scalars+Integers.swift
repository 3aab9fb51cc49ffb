import GRDBSQLite
public import StrataSchema

// The widths differ in memory only: each is `int` in schemas, and INTEGER in the file.

extension Int64 {
  /// The integer in an `sqlite3_value *`; nil for any other value.
  @inline(__always)
  static func _integer(_ value: OpaquePointer?) -> Int64? {
    guard sqlite3_value_type(value) == SQLITE_INTEGER else { return nil }
    return sqlite3_value_int64(value)
  }
}

/// The shared requirements of integer types. Witnesses that must be concrete are in each type.
public protocol _IntegerScalar: _EnumRawValue, _PersistedForm, FixedWidthInteger {}

extension _IntegerScalar {
  public static var _propertyType: PropertyType { .int }
  @inlinable public static func _zero() -> Self { 0 }

  public static func _read(_ value: OpaquePointer?) -> Self? {
    Int64._integer(value).flatMap { Self(exactly: $0) }
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    sqlite3_bind_int64(statement, index, Int64(self)) == SQLITE_OK
  }

  public func _giveResult(_ context: OpaquePointer) -> Bool {
    sqlite3_result_int64(context, Int64(self))
    return true
  }

  public var _stored: StoredValue? { .integer(Int64(self)) }

  public init?(_stored: StoredValue) {
    guard case .integer(let value) = _stored else { return nil }
    self.init(exactly: value)
  }

  public static func _convert(_ value: Any) -> Self? {
    switch value {
    case let value as Self: value
    case is Bool: nil
    case let value as Int: Self(exactly: value)
    case let value as any BinaryInteger: Self(exactly: value)
    default: nil
    }
  }

  public var _dynamic: Any? { Int(exactly: self) }

  /// The value truncated to the width of the type.
  static func _wrapping(_ value: Int64) -> Any { Self(truncatingIfNeeded: value) }
}

extension Int: _IntegerScalar {
  public static func _accessor(offset: Int) -> _PropertyAccessor { .make(Int.self, offset: offset) }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Int?.self, offset: offset)
  }
}

extension Int8: _IntegerScalar {
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(Int8.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Int8?.self, offset: offset)
  }
}

extension Int16: _IntegerScalar {
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(Int16.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Int16?.self, offset: offset)
  }
}

extension Int32: _IntegerScalar {
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(Int32.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Int32?.self, offset: offset)
  }
}

extension Int64: _IntegerScalar {
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(Int64.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Int64?.self, offset: offset)
  }
}
