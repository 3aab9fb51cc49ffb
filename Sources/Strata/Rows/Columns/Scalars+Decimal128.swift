import Foundation
import GRDBSQLite
public import StrataSchema
import StrataStorage

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

  public var _dynamic: Any? { self }
}
