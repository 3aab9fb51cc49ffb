import CStrataRuntime
import Foundation
import GRDBSQLite
public import StrataSchema
import StrataStorage

// How columns store scalars. `make` is called from each concrete type, never from a shared generic
// function, so that the compiler specializes the closures.

extension _Scalar {
  /// Reads a column of the current row of an `sqlite3_stmt *`; nil for a value of another type.
  @inline(__always)
  static func _read(_ statement: OpaquePointer, _ index: Int32) -> Self? {
    // Reads through the value: each `sqlite3_column_…` call looks up the column under a lock.
    _read(sqlite3_column_value(statement, index))
  }

  public func _giveResult(_ context: OpaquePointer) -> Bool {
    guard let stored = _stored else { return false }
    context.returnStored(stored)
    return true
  }
}

extension Bool: _Scalar, _PersistedForm {
  public static var _propertyType: PropertyType { .bool }
  @inlinable public static func _zero() -> Bool { false }
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(Bool.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Bool?.self, offset: offset)
  }

  public static func _read(_ value: OpaquePointer?) -> Bool? {
    Int64._integer(value).map { $0 != 0 }
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    sqlite3_bind_int64(statement, index, self ? 1 : 0) == SQLITE_OK
  }

  public func _giveResult(_ context: OpaquePointer) -> Bool {
    sqlite3_result_int64(context, self ? 1 : 0)
    return true
  }

  public var _stored: StoredValue? { .integer(self ? 1 : 0) }

  public init?(_stored: StoredValue) {
    guard case .integer(let value) = _stored else { return nil }
    self = value != 0
  }

  /// Accepts the integers 0 and 1 for a Boolean, as Realm does: JSON of other programs contains
  /// them.
  public static func _convert(_ value: Any) -> Bool? {
    switch value {
    case let value as Bool: value
    case let number as any BinaryInteger: truth(of: Int(exactly: number))
    default: nil
    }
  }

  private static func truth(of number: Int?) -> Bool? {
    switch number {
    case 0: false
    case 1: true
    default: nil
    }
  }
}

extension Double: _EnumRawValue, _PersistedForm {
  public static var _propertyType: PropertyType { .double }
  @inlinable public static func _zero() -> Double { 0 }
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(Double.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Double?.self, offset: offset)
  }

  public static func _read(_ value: OpaquePointer?) -> Double? {
    guard sqlite3_value_type(value) == SQLITE_FLOAT else { return nil }
    return sqlite3_value_double(value)
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    // SQLite has no NaN: it would store NULL.
    !isNaN && sqlite3_bind_double(statement, index, self) == SQLITE_OK
  }

  public func _giveResult(_ context: OpaquePointer) -> Bool {
    sqlite3_result_double(context, self)
    return !isNaN
  }

  public var _stored: StoredValue? { isNaN ? nil : .real(self) }

  public init?(_stored: StoredValue) {
    switch _stored {
    case .real(let value): self = value
    case .integer(let value): self = Double(value)
    default: return nil
    }
  }

  public static func _convert(_ value: Any) -> Double? {
    switch value {
    case let value as Double: value
    case let value as Float: Double(value)
    // Rounded to the nearest value, as in Realm.
    default: Int._convert(value).map { Double($0) }
    }
  }
}

extension Float: _EnumRawValue, _PersistedForm {
  public static var _propertyType: PropertyType { .float }
  @inlinable public static func _zero() -> Float { 0 }
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(Float.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Float?.self, offset: offset)
  }

  public static func _read(_ value: OpaquePointer?) -> Float? {
    Double._read(value).map { Float($0) }
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    Double(self)._bind(statement, index)
  }

  public var _stored: StoredValue? { Double(self)._stored }

  public init?(_stored: StoredValue) {
    guard let value = Double(_stored: _stored) else { return nil }
    self = Float(value)
  }

  public static func _convert(_ value: Any) -> Float? {
    switch value {
    case let value as Float: value
    // A literal in a dictionary is a `Double`. Accepted if nothing but precision is lost.
    case let value as Double:
      abs(value) <= Double(Float.greatestFiniteMagnitude) || value.isInfinite || value.isNaN
        ? Float(value) : nil
    // Rounded to the nearest value, as for `Double`.
    default: Int._convert(value).map { Float($0) }
    }
  }
}

extension String: _EnumRawValue, _PersistedForm {
  public static var _propertyType: PropertyType { .string }
  @inlinable public static func _zero() -> String { "" }
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(String.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(String?.self, offset: offset)
  }

  public static func _read(_ value: OpaquePointer?) -> String? {
    withText(of: value) { String(decoding: $0, as: UTF8.self) }
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    var copy = self
    return copy.withUTF8 { bindText($0, statement, index) }
  }

  public func _giveResult(_ context: OpaquePointer) -> Bool {
    var copy = self
    copy.withUTF8 { context.returnText($0) }
    return true
  }

  public var _stored: StoredValue? { .text(self) }

  public init?(_stored: StoredValue) {
    guard case .text(let value) = _stored else { return nil }
    self = value
  }

  public static func _convert(_ value: Any) -> String? { value as? String }
}

extension Optional where Wrapped: _Scalar {
  public static func _read(_ value: OpaquePointer?) -> Wrapped?? {
    sqlite3_value_type(value) == SQLITE_NULL
      ? .some(nil) : Wrapped._read(value).map(Optional.some)
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    guard let self else { return sqlite3_bind_null(statement, index) == SQLITE_OK }
    return self._bind(statement, index)
  }

  public func _giveResult(_ context: OpaquePointer) -> Bool {
    if let self { return self._giveResult(context) }
    sqlite3_result_null(context)
    return true
  }
}

extension ObjectId: _Scalar, _PersistedForm {
  public static var _propertyType: PropertyType { .objectId }
  public static func _zero() -> ObjectId { ObjectId() }
  public static func _initial() -> ObjectId { _isMaterializing() ? _zero() : .generate() }
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(ObjectId.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(ObjectId?.self, offset: offset)
  }

  public static func _read(_ value: OpaquePointer?) -> ObjectId? {
    withText(of: value) { ObjectId(utf8: $0) }
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    stringValue._bind(statement, index)
  }

  public var _stored: StoredValue? { .text(stringValue) }

  public init?(_stored: StoredValue) {
    guard case .text(var text) = _stored, let id = text.withUTF8({ ObjectId(utf8: $0) }) else {
      return nil
    }
    self = id
  }

  public static func _convert(_ value: Any) -> ObjectId? { value as? ObjectId }
}

extension Decimal128: _Scalar, _PersistedForm {
  public static var _propertyType: PropertyType { .decimal128 }
  public static func _zero() -> Decimal128 { Decimal128() }
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .make(Decimal128.self, offset: offset)
  }
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .make(Decimal128?.self, offset: offset)
  }

  public static func _read(_ value: OpaquePointer?) -> Decimal128? {
    withText(of: value) { text in
      parse(text).flatMap { $0.isExact ? $0.value : nil }
    }
  }

  public func _bind(_ statement: OpaquePointer, _ index: Int32) -> Bool {
    exactText._bind(statement, index)
  }

  public var _stored: StoredValue? { .text(exactText) }

  public init?(_stored: StoredValue) {
    guard case .text(let text) = _stored else { return nil }
    self.init(text)
  }

  public static func _convert(_ value: Any) -> Decimal128? {
    switch value {
    case let value as Decimal128: value
    case let value as String: Decimal128(value)
    case let value as Double: Decimal128(value: value)
    case let value as Float: Decimal128(value: value)
    case let value as Decimal: Decimal128(value: value)
    case let value as any BinaryInteger: Decimal128(exactly: value)
    default: nil
    }
  }
}
