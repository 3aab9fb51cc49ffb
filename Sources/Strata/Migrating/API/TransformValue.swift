public import Foundation

/// A value in a `transform` expression: the new value of a property, which SQLite computes from old
/// properties.
///
/// ```swift
/// migration.transform(V1.Person.self, V2.Person.self) { old, new in
///   new.fullName = old.firstName + " " + old.lastName
///   new.group = .when(old.age < 18, then: "young", else: "old")
///   new.mail = old.email ?? "none"
/// }
/// ```
///
/// - `+` concatenates strings. Numbers support `+ - * /` with Swift's meaning: overflow and
///   division by zero end the migration with an error.
/// - Values are compared as in SQLite: strings by their bytes. Nil is equal to nil, and neither
///   less nor greater than a value. Conditions are combined with `&&`, `||` and `!`.
/// - A date, a UUID, an `ObjectId` and a `Decimal128` can only be copied, selected with `??` and
///   `when`, and (except for the decimal) compared.
/// - `.value(x)` is a constant. Literals can be used directly.
public struct TransformValue<Value: _Scalar>: Sendable {
  let expression: TransformExpression

  init(_ expression: TransformExpression) { self.expression = expression }

  /// Returns a constant. A value that SQLite can't store, such as NaN, fails the migration.
  public static func value(_ value: Value) -> TransformValue {
    TransformValue(
      .literal(value._stored ?? .real(.nan), Value._propertyType))
  }

  /// Returns the first value where a condition is true, otherwise the second.
  public static func when(
    _ condition: TransformValue<Bool>, then first: TransformValue, else second: TransformValue
  ) -> TransformValue {
    TransformValue(
      .when(condition.expression, then: first.expression, otherwise: second.expression))
  }
}

extension TransformValue where Value: _OptionalPersistable {
  /// The same value as an optional.
  public var optional: TransformValue<Value?> { .init(expression) }
}

// Conversions. Nil stays nil.

extension TransformValue where Value: BinaryInteger {
  /// The number as text, as Swift writes it.
  public var text: TransformValue<String> { .init(.conversion(.text, expression)) }

  /// The number as an `Int`.
  public var int: TransformValue<Int> { .init(.conversion(.int, expression)) }

  /// The number as a `Double`.
  public var double: TransformValue<Double> { .init(.conversion(.double, expression)) }
}

extension TransformValue where Value: BinaryFloatingPoint {
  /// The integer part. A value out of range ends the migration with an error.
  public var int: TransformValue<Int> { .init(.conversion(.int, expression)) }

  /// The number as a `Double`.
  public var double: TransformValue<Double> { .init(.conversion(.double, expression)) }
}

extension TransformValue where Value == Bool {
  /// 1 for true, 0 for false.
  public var int: TransformValue<Int> { .init(.conversion(.int, expression)) }
}

extension TransformValue where Value == String {
  /// The number that `Int(_:)` reads; nil for any other string.
  public var int: TransformValue<Int?> { .init(.conversion(.int, expression)) }
}

extension TransformValue where Value: PersistableEnum {
  /// The stored raw value.
  public var rawValue: TransformValue<Value.RawValue> { .init(expression) }
}

// MARK: Of values that may be nil

extension TransformValue where Value == Int? {
  /// The number as text, as Swift writes it.
  public var text: TransformValue<String?> { .init(.conversion(.text, expression)) }

  /// The number as a `Double`.
  public var double: TransformValue<Double?> { .init(.conversion(.double, expression)) }
}

extension TransformValue where Value == Double? {
  /// The integer part. A value out of range ends the migration with an error.
  public var int: TransformValue<Int?> { .init(.conversion(.int, expression)) }
}

extension TransformValue where Value == Bool? {
  /// 1 for true, 0 for false.
  public var int: TransformValue<Int?> { .init(.conversion(.int, expression)) }
}

extension TransformValue where Value == String? {
  /// The number that `Int(_:)` reads; nil for any other string.
  public var int: TransformValue<Int?> { .init(.conversion(.int, expression)) }
}

/// A type that supports `+ - * /` of ``TransformValue``: `Int`, `Int64`, `Double` and `Float`.
public protocol _TransformNumber: _Scalar {}
extension Int: _TransformNumber {}
extension Int64: _TransformNumber {}
extension Double: _TransformNumber {}
extension Float: _TransformNumber {}

/// A type that supports `<` and `>` of ``TransformValue``: numbers, strings, dates.
public protocol _TransformOrdered: _Scalar {}
extension Int: _TransformOrdered {}
extension Int8: _TransformOrdered {}
extension Int16: _TransformOrdered {}
extension Int32: _TransformOrdered {}
extension Int64: _TransformOrdered {}
extension Double: _TransformOrdered {}
extension Float: _TransformOrdered {}
extension String: _TransformOrdered {}
extension Date: _TransformOrdered {}

// MARK: Joining and computing

extension TransformValue where Value == String {
  /// Concatenates two strings.
  public static func + (first: TransformValue, second: TransformValue) -> TransformValue {
    TransformValue(.arithmetic(.add, first.expression, second.expression))
  }
}

extension TransformValue where Value: _TransformNumber {
  /// Adds two numbers. Overflow ends the migration with an error.
  public static func + (first: TransformValue, second: TransformValue) -> TransformValue {
    TransformValue(.arithmetic(.add, first.expression, second.expression))
  }

  /// Subtracts two numbers. Overflow ends the migration with an error.
  public static func - (first: TransformValue, second: TransformValue) -> TransformValue {
    TransformValue(.arithmetic(.subtract, first.expression, second.expression))
  }

  /// Multiplies two numbers. Overflow ends the migration with an error.
  public static func * (first: TransformValue, second: TransformValue) -> TransformValue {
    TransformValue(.arithmetic(.multiply, first.expression, second.expression))
  }

  /// Divides two numbers. The quotient of integers has no fraction. Division by zero ends the
  /// migration with an error.
  public static func / (first: TransformValue, second: TransformValue) -> TransformValue {
    TransformValue(.arithmetic(.divide, first.expression, second.expression))
  }
}

// MARK: Nil

/// Returns the first value, or the second one if the first is nil.
public func ?? <Value>(
  first: TransformValue<Value?>, second: TransformValue<Value>
) -> TransformValue<Value> {
  TransformValue(.coalesce(first.expression, second.expression))
}

/// Returns the first value, or the second one if the first is nil. The second may be nil as well.
public func ?? <Value>(
  first: TransformValue<Value?>, second: TransformValue<Value?>
) -> TransformValue<Value?> {
  TransformValue(.coalesce(first.expression, second.expression))
}

// MARK: Comparing

extension TransformValue {
  /// Whether both are equal. Decimals can't be compared.
  public static func == (first: TransformValue, second: TransformValue) -> TransformValue<Bool> {
    TransformValue<Bool>(.comparison(.equal, first.expression, second.expression))
  }

  /// Whether both are different. Decimals can't be compared.
  public static func != (first: TransformValue, second: TransformValue) -> TransformValue<Bool> {
    TransformValue<Bool>(.comparison(.notEqual, first.expression, second.expression))
  }
}

extension TransformValue where Value: _OptionalPersistable {
  /// Whether an optional is equal to a value. Decimals can't be compared.
  public static func == (
    first: TransformValue<Value?>, second: TransformValue
  ) -> TransformValue<Bool> {
    TransformValue<Bool>(.comparison(.equal, first.expression, second.expression))
  }

  /// Whether an optional is nil or different from a value. Decimals can't be compared.
  public static func != (
    first: TransformValue<Value?>, second: TransformValue
  ) -> TransformValue<Bool> {
    TransformValue<Bool>(.comparison(.notEqual, first.expression, second.expression))
  }
}

extension TransformValue where Value: _TransformOrdered {
  /// Whether a value is less than another one.
  public static func < (first: TransformValue, second: TransformValue) -> TransformValue<Bool> {
    TransformValue<Bool>(.comparison(.less, first.expression, second.expression))
  }

  /// Whether a value is not greater than another one.
  public static func <= (first: TransformValue, second: TransformValue) -> TransformValue<Bool> {
    TransformValue<Bool>(.comparison(.lessOrEqual, first.expression, second.expression))
  }

  /// Whether a value is greater than another one.
  public static func > (first: TransformValue, second: TransformValue) -> TransformValue<Bool> {
    TransformValue<Bool>(.comparison(.greater, first.expression, second.expression))
  }

  /// Whether a value is not less than another one.
  public static func >= (first: TransformValue, second: TransformValue) -> TransformValue<Bool> {
    TransformValue<Bool>(.comparison(.greaterOrEqual, first.expression, second.expression))
  }
}

// MARK: Conditions

extension TransformValue where Value == Bool {
  /// Whether both are true. The second one is evaluated only if the first one is true.
  public static func && (first: TransformValue, second: TransformValue) -> TransformValue {
    .when(first, then: second, else: false)
  }

  /// Whether at least one of them is true. The second one is evaluated only if the first one isn't
  /// true.
  public static func || (first: TransformValue, second: TransformValue) -> TransformValue {
    .when(first, then: true, else: second)
  }

  /// Whether the value is false.
  public static prefix func ! (value: TransformValue) -> TransformValue {
    .when(value, then: false, else: true)
  }
}

// MARK: Literals

extension TransformValue: ExpressibleByUnicodeScalarLiteral,
  ExpressibleByExtendedGraphemeClusterLiteral, ExpressibleByStringLiteral
where Value == String {
  public init(stringLiteral value: String) { self = .value(value) }
}

extension TransformValue: ExpressibleByIntegerLiteral where Value: _TransformNumber {
  public init(integerLiteral value: Int) {
    let isFraction = Value._propertyType != .int
    self.init(
      .literal(isFraction ? .real(Double(value)) : .integer(Int64(value)), Value._propertyType))
  }
}

extension TransformValue: ExpressibleByFloatLiteral
where Value: _TransformNumber & BinaryFloatingPoint {
  public init(floatLiteral value: Double) {
    self.init(.literal(.real(value), Value._propertyType))
  }
}

extension TransformValue: ExpressibleByBooleanLiteral where Value == Bool {
  public init(booleanLiteral value: Bool) { self = .value(value) }
}

extension TransformValue: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) { self.init(.literal(.null, Value._propertyType)) }
}

/// The old properties in a `transform` expression, as declared by the class with which the file was
/// written.
@dynamicMemberLookup
public struct TransformSource<Old: ObjectBase> {
  init(_: Old.Type) {}

  /// A property of the old objects.
  public subscript<Value: _Scalar>(
    dynamicMember keyPath: KeyPath<Old, Value>
  ) -> TransformValue<Value> {
    guard let property = persistedProperty(of: keyPath) else { return TransformValue(.unpersisted) }
    return TransformValue(
      .property(
        property.columnName, .init(Value._propertyType, isOptional: Value._isOptional)))
  }
}

/// The new properties that `transform` sets.
@dynamicMemberLookup
public final class TransformTarget<New: ObjectBase> {
  private(set) var assignments: [TransformAssignment] = []

  init(_: New.Type) {}

  /// The new value of a property.
  public subscript<Value: _Scalar>(
    dynamicMember keyPath: KeyPath<New, Value>
  ) -> TransformValue<Value> {
    get { TransformValue(value(of: keyPath)) }
    set { set(keyPath, newValue.expression) }
  }

  /// The new value of an optional property.
  public subscript<Value: _Scalar & _OptionalPersistable>(
    dynamicMember keyPath: KeyPath<New, Value?>
  ) -> TransformValue<Value> {
    get { TransformValue(value(of: keyPath)) }
    set { set(keyPath, newValue.expression) }
  }

  /// Returns the expression that the property was set to before; without one, the migration fails.
  private func value<Value: _Scalar>(of keyPath: KeyPath<New, Value>) -> TransformExpression {
    let name = Self.name(keyPath)
    return assignments.last { $0.property == name }?.expression ?? .unset(name)
  }

  /// Returns the name of a property; empty if the key path isn't a property, which fails the
  /// migration.
  private static func name<Value: _Scalar>(_ keyPath: KeyPath<New, Value>) -> String {
    persistedProperty(of: keyPath)?.name ?? ""
  }

  private func set<Value: _Scalar>(
    _ keyPath: KeyPath<New, Value>, _ expression: TransformExpression
  ) {
    assignments.append(
      TransformAssignment(property: Self.name(keyPath), expression: expression))
  }
}

/// The old properties in a `transform` expression, by their column names.
public struct DynamicTransformSource {
  /// A property of the old objects.
  public subscript(propertyName: String) -> DynamicTransformValue {
    DynamicTransformValue(.property(propertyName, nil))
  }
}

/// The new properties that `transform` sets, by their names.
public final class DynamicTransformTarget {
  private(set) var assignments: [TransformAssignment] = []

  /// The new value of a property.
  public subscript(propertyName: String) -> DynamicTransformValue {
    get {
      let last = assignments.last { $0.property == propertyName }
      return DynamicTransformValue(last?.expression ?? .unset(propertyName))
    }
    set {
      assignments.append(
        TransformAssignment(property: propertyName, expression: newValue.expression))
    }
  }
}
