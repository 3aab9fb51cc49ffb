public import Foundation
import StrataStorage

/// A value together with its type.
///
/// ```swift
/// class Setting: Object { @Persisted var value: AnyRealmValue }
/// setting.value = .string("dark")
/// setting.value = .object(theme)
/// ```
///
/// The case tells the type: `.int(1)`, `.double(1)` and `.bool(true)` are three values. When the
/// object of an `.object` is deleted, a property becomes `.none`, and so does an element of a list
/// or a map; a set loses the element.
///
/// A list or a dictionary may contain others, up to 100 inside of each other. Those of an object in
/// a realm are live, and change inside of `write` only; a set can't hold them.
/// ```swift
/// setting.value = .fromDictionary(["sizes": .fromArray([10, 12])])
/// setting.value["sizes"]?.listValue?.append(14)
/// ```
public enum AnyRealmValue {
  /// No value.
  case none
  /// An integer.
  case int(Int)
  /// A Boolean.
  case bool(Bool)
  /// A number with the precision of a `Float`.
  case float(Float)
  /// A number with the precision of a `Double`.
  case double(Double)
  /// A text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A date.
  case date(Date)
  /// An object of a model class.
  case object(Object)
  /// An object id.
  case objectId(ObjectId)
  /// A decimal number.
  case decimal128(Decimal128)
  /// A UUID.
  case uuid(UUID)
  /// A list of values.
  case list(List<AnyRealmValue>)
  /// Values by keys.
  case dictionary(Map<String, AnyRealmValue>)

  /// `.none`.
  public init() { self = .none }

  /// The value, of whatever type it is; nil for `.none`.
  public var rawValue: Any? {
    switch self {
    case .none: nil
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .object(let value): (value as? LinkInMigration)?.target ?? value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .list(let value): value
    case .dictionary(let value): value
    }
  }
}

extension AnyRealmValue {
  /// The integer, if it is one.
  public var intValue: Int? { rawValue as? Int }
  /// The truth value, if it is one.
  public var boolValue: Bool? { rawValue as? Bool }
  /// The `Float`, if it is one.
  public var floatValue: Float? { rawValue as? Float }
  /// The `Double`, if it is one.
  public var doubleValue: Double? { rawValue as? Double }
  /// The text, if it is one.
  public var stringValue: String? { rawValue as? String }
  /// The bytes, if it is bytes.
  public var dataValue: Data? { rawValue as? Data }
  /// The date, if it is one.
  public var dateValue: Date? { rawValue as? Date }
  /// The object id, if it is one.
  public var objectIdValue: ObjectId? { rawValue as? ObjectId }
  /// The decimal, if it is one.
  public var decimal128Value: Decimal128? { rawValue as? Decimal128 }
  /// The UUID, if it is one.
  public var uuidValue: UUID? { rawValue as? UUID }

  /// The object, if it is one of that class.
  public func object<T: Object>(_ objectType: T.Type) -> T? { rawValue as? T }
}

extension AnyRealmValue {
  /// The case for a value of unknown type; nil for a type that it has no case for.
  ///
  /// - Parameter level: How many collections are around the value.
  static func converting(_ value: Any?, level: Int = 0) -> AnyRealmValue? {
    guard let value = unwrapped(value).map(unboxedNumber) else { return AnyRealmValue.none }
    return switch value {
    case let value as AnyRealmValue: value
    case let value as any PersistableEnum: converting(value._dynamic)
    case let value as any _CustomPersistable: converting(value._dynamicElement)
    case let value as Bool: .bool(value)
    case let value as Float: .float(value)
    case let value as Double: .double(value)
    case let value as String: .string(value)
    case let value as Data: .data(value)
    case let value as Date: .date(value)
    case let value as Object: .object(value)
    case let value as ObjectId: .objectId(value)
    case let value as Decimal128: .decimal128(value)
    case let value as UUID: .uuid(value)
    default: Int._convert(value).map { .int($0) } ?? convertingCollection(value, level: level)
    }
  }

  /// The value as stored in the file; nil for an object, which has a row, for a list or a
  /// dictionary in memory, and for a value that SQLite can't store.
  var storedElement: _StoredElement? {
    func element(_ value: some _Scalar) -> _StoredElement? {
      value._stored.map { _StoredElement($0, type: type(of: value)._propertyType.rawValue) }
    }
    return switch self {
    case .none: .null
    case .int(let value): element(value)
    case .bool(let value): element(value)
    case .float(let value): element(value)
    case .double(let value): element(value)
    case .string(let value): element(value)
    case .data(let value): element(value)
    case .date(let value): element(value)
    case .object: nil
    case .objectId(let value): element(value)
    case .decimal128(let value): element(value)
    case .uuid(let value): element(value)
    case .list, .dictionary: (nestedRows as? CarriedRows)?.carried
    }
  }

  /// The value of a stored one; nil for an object, a list or a dictionary, and for a value that is
  /// not of its type.
  init?(_ stored: _StoredElement) {
    guard let name = stored.type else {
      guard stored.value == .null else { return nil }
      self = .none
      return
    }
    func value<Value: _Scalar>(_: Value.Type) -> Value? { Value(_stored: stored.value) }
    let read: AnyRealmValue? =
      switch PropertyType(rawValue: name) {
      case .int: value(Int.self).map { .int($0) }
      case .bool: value(Bool.self).map { .bool($0) }
      case .float: value(Float.self).map { .float($0) }
      case .double: value(Double.self).map { .double($0) }
      case .string: value(String.self).map { .string($0) }
      case .data: value(Data.self).map { .data($0) }
      case .date: value(Date.self).map { .date($0) }
      case .objectId: value(ObjectId.self).map { .objectId($0) }
      case .decimal128: value(Decimal128.self).map { .decimal128($0) }
      case .UUID: value(UUID.self).map { .uuid($0) }
      case .any, .object, .linkingObjects, nil: nil
      }
    guard let read else { return nil }
    self = read
  }
}

extension AnyRealmValue: SortableType, _QueryNumeric {}

extension AnyRealmValue: CustomStringConvertible {
  public var description: String { describeValue(rawValue) }
}

extension AnyRealmValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(nilLiteral: ()) { self = .none }
}
