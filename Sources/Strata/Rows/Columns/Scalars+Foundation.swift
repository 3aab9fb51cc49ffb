public import Foundation
import GRDBSQLite
public import StrataSchema
import StrataStorage

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
  public var _dynamic: Any? { self }
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
  public var _dynamic: Any? { self }
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
  public var _dynamic: Any? { self }
}
