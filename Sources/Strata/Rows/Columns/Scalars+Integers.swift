public import Foundation
import GRDBSQLite
public import StrataSchema
import StrataStorage

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

extension Data: _Scalar, _PersistedForm {
  public static var _propertyType: PropertyType { .data }
  public static func _zero() -> Data { Data() }
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(Data.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Data?.self, offset: offset)
  }

  public static func _read(_ value: OpaquePointer?) -> Data? {
    guard sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
    // SQLite returns no address for an empty blob.
    guard let bytes = sqlite3_value_blob(value) else { return Data() }
    return Data(bytes: bytes, count: Int(sqlite3_value_bytes(value)))
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        return sqlite3_bind_zeroblob(statement, index, 0) == SQLITE_OK
      }
      return sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), transient)
        == SQLITE_OK
    }
  }

  public var _stored: StoredValue? { .blob(Array(self)) }

  public init?(_stored: StoredValue) {
    guard case .blob(let bytes) = _stored else { return nil }
    self.init(bytes)
  }

  public static func _convert(_ value: Any) -> Data? { value as? Data }
}

extension Date: _Scalar, _PersistedForm {
  public static var _propertyType: PropertyType { .date }

  /// 1970-01-01, the default of Realm.
  public static func _zero() -> Date { Date(timeIntervalSince1970: 0) }
  public static func _initial() -> Date { _isMaterializing() ? _zero() : Date() }
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(Date.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Date?.self, offset: offset)
  }

  public static func _read(_ value: OpaquePointer?) -> Date? {
    withText(of: value) { DateText.decode($0) }
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
      guard let start = buffer.baseAddress else { return false }
      let count = DateText.encode(self, into: start)
      guard count == 0 else {
        return bindText(UnsafeBufferPointer(start: start, count: count), statement, index)
      }
      return DateText.encode(self)?._bind(statement, index) ?? false
    }
  }

  public var _stored: StoredValue? { DateText.encode(self).map(StoredValue.text) }

  public init?(_stored: StoredValue) {
    guard case .text(let text) = _stored, let date = DateText.decode(text) else { return nil }
    self = date
  }

  public static func _convert(_ value: Any) -> Date? { value as? Date }
}

extension UUID: _Scalar, _PersistedForm {
  public static var _propertyType: PropertyType { .UUID }
  public static func _zero() -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  public static func _initial() -> UUID { _isMaterializing() ? _zero() : UUID() }
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(UUID.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(UUID?.self, offset: offset)
  }

  public static func _read(_ value: OpaquePointer?) -> UUID? {
    String._read(value).flatMap(UUID.init(uuidString:))
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    uuidString._bind(statement, index)
  }

  public var _stored: StoredValue? { .text(uuidString) }

  public init?(_stored: StoredValue) {
    guard case .text(let text) = _stored else { return nil }
    self.init(uuidString: text)
  }

  public static func _convert(_ value: Any) -> UUID? { value as? UUID }
}
