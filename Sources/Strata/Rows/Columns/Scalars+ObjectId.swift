import GRDBSQLite
public import StrataSchema
import StrataStorage

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
  public var _dynamic: Any? { self }
}
