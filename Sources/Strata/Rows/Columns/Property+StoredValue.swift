import Foundation
import GRDBSQLite
import StrataStorage

extension Property {
  /// Converts a value of unknown type to this property's stored form; nil if the value doesn't fit.
  ///
  /// Accepts the same values as RealmSwift: integers of each width if they fit, whole numbers for
  /// floating point, raw values and cases of enums.
  func storedValue(_ value: Any?) -> StoredValue? {
    guard let value else { return isNullable ? .null : nil }
    if let usual = usualStoredValue(value) { return usual }
    if let value = value as? any PersistableEnum {
      return value._dynamic.flatMap { storedValue($0) }
    }
    if let value = value as? any _CustomPersistable {
      return value._dynamicElement.flatMap { storedValue($0) }
    }
    // An `Int` may be narrower than the column.
    if type == .int { return Int64._convert(value)?._stored }
    return type.scalar?._convert(value)?._stored
  }

  /// Converts an integer or a text; nil for other values. Most keys are such, and checks for
  /// protocols are slower.
  func usualStoredValue(_ value: Any) -> StoredValue? {
    if type == .int, let value = exactly(Int.self, value) { return value._stored }
    if type == .string, let value = exactly(String.self, value) { return value._stored }
    return nil
  }

  /// Converts a stored value to the form that dynamic access returns: inner nil for NULL, outer nil
  /// for a value of another type.
  func dynamicValue(_ stored: StoredValue) -> Any?? {
    if stored == .null { return .some(nil) }
    guard let value = type.scalar?.init(_stored: stored) else { return nil }
    return .some(value)
  }
}

extension Property {
  /// Whether a value in the column is valid for the property's type, as objects read it.
  static func holds(_ property: Property, _ element: _StoredElement) -> Bool {
    property.type == .any
      ? AnyRealmValue(element) != nil : property.dynamicValue(element.value) != nil
  }

  /// Whether the value is of the property's type, but can't be stored by SQLite.
  func holdsUnstorable(_ value: Any?) -> Bool {
    switch (type, value) {
    case (.double, let value?): Double._convert(value)?.isNaN == true
    case (.float, let value?): Float._convert(value)?.isNaN == true
    case (.date, let value?): value is Date
    default: false
    }
  }
}

extension PropertyType {
  /// Reads a column of the current row for access by name, with numbers as `NSNumber`: inner nil
  /// for NULL, outer nil for a value of another type.
  func boxedColumn(_ statement: OpaquePointer, _ index: Int32) -> Any?? {
    switch self {
    case .int: Self.read(statement, index) { (value: Int) in NSNumber(value: value) }
    case .bool: Self.read(statement, index) { (value: Bool) in NSNumber(value: value) }
    case .float: Self.read(statement, index) { (value: Float) in NSNumber(value: value) }
    case .double: Self.read(statement, index) { (value: Double) in NSNumber(value: value) }
    case .string: Self.read(statement, index) { (value: String) in value }
    case .data: Self.read(statement, index) { (value: Data) in value }
    case .date: Self.read(statement, index) { (value: Date) in value }
    case .UUID: Self.read(statement, index) { (value: Foundation.UUID) in value }
    case .objectId: Self.read(statement, index) { (value: ObjectId) in value }
    case .decimal128: Self.read(statement, index) { (value: Decimal128) in value }
    case .any, .object, .linkingObjects: nil
    }
  }

  @inline(__always)
  private static func read<Value: _Scalar>(
    _ statement: OpaquePointer, _ index: Int32, _ boxed: (Value) -> Any
  ) -> Any?? {
    if let value = Value._read(statement, index) { return .some(boxed(value)) }
    return sqlite3_column_type(statement, index) == SQLITE_NULL ? .some(nil) : nil
  }
}

/// Returns the value if it is exactly of this type: comparing types takes some instructions, a cast
/// hundreds.
private func exactly<Value>(_: Value.Type, _ value: Any) -> Value? {
  ObjectIdentifier(type(of: value)) == ObjectIdentifier(Value.self) ? (value as! Value) : nil
}
