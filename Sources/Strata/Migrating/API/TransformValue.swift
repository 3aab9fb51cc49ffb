public import Foundation

/// A value of an expression of `transform`: what a property of the new objects becomes, computed
/// from properties of the old ones by SQLite itself.
///
/// ```swift
/// migration.transform(V1.Person.self, V2.Person.self) { old, new in
///   new.fullName = old.firstName + " " + old.lastName
///   new.group = .when(old.age < 18, then: "young", else: "old")
///   new.mail = old.email ?? "none"
/// }
/// ```
///
/// - Texts are joined by `+`. Numbers have `+ - * /`, with Swift's meaning: a sum that is out of
///   range and a division by zero end the migration with an error.
/// - Two values are compared as SQLite does: texts by their bytes. Nil is equal to nil, and neither
///   less nor greater than a value. Conditions are joined by `&&`, `||` and `!`.
/// - A date, a UUID, an `ObjectId` and a `Decimal128` can only be copied, chosen by `??` and
///   `when`, and (but the decimal) compared.
/// - `.value(x)` is a constant; literals need nothing.
public struct TransformValue<Value: _Scalar>: Sendable {
  let expression: TransformExpression

  init(_ expression: TransformExpression) { self.expression = expression }

  /// A constant. One that SQLite can't keep, such as NaN, fails the migration.
  public static func value(_ value: Value) -> TransformValue {
    TransformValue(
      .literal(value._stored ?? .real(.nan), Value._propertyType))
  }

  /// The first value where a condition is true, otherwise the second.
  public static func when(
    _ condition: TransformValue<Bool>, then first: TransformValue, else second: TransformValue
  ) -> TransformValue {
    TransformValue(
      .when(condition.expression, then: first.expression, otherwise: second.expression))
  }
}

extension TransformValue where Value: _OptionalPersistable {
  /// The same value where one is wanted that may be nil.
  public var optional: TransformValue<Value?> { TransformValue<Value?>(expression) }
}

// What an expression may be made into. Nil stays nil.

extension TransformValue where Value: BinaryInteger {
  /// The number as Swift writes it.
  public var text: TransformValue<String> { TransformValue<String>(.conversion(.text, expression)) }

  /// The number as an `Int`.
  public var int: TransformValue<Int> { TransformValue<Int>(.conversion(.int, expression)) }

  /// The number as a `Double`.
  public var double: TransformValue<Double> {
    TransformValue<Double>(.conversion(.double, expression))
  }
}

extension TransformValue where Value: BinaryFloatingPoint {
  /// The whole part; one that is out of range ends the migration with an error.
  public var int: TransformValue<Int> { TransformValue<Int>(.conversion(.int, expression)) }

  /// The number as a `Double`.
  public var double: TransformValue<Double> {
    TransformValue<Double>(.conversion(.double, expression))
  }
}

extension TransformValue where Value == Bool {
  /// 1 for true, 0 for false.
  public var int: TransformValue<Int> { TransformValue<Int>(.conversion(.int, expression)) }
}

extension TransformValue where Value == String {
  /// The number that `Int(_:)` reads; nil for any other text.
  public var int: TransformValue<Int?> { TransformValue<Int?>(.conversion(.int, expression)) }
}

extension TransformValue where Value: PersistableEnum {
  /// The value that the file keeps.
  public var rawValue: TransformValue<Value.RawValue> {
    TransformValue<Value.RawValue>(expression)
  }
}

// MARK: Of values that may be nil

extension TransformValue where Value == Int? {
  /// The number as Swift writes it.
  public var text: TransformValue<String?> {
    TransformValue<String?>(.conversion(.text, expression))
  }

  /// The number as a `Double`.
  public var double: TransformValue<Double?> {
    TransformValue<Double?>(.conversion(.double, expression))
  }
}

extension TransformValue where Value == Double? {
  /// The whole part; one that is out of range ends the migration with an error.
  public var int: TransformValue<Int?> { TransformValue<Int?>(.conversion(.int, expression)) }
}

extension TransformValue where Value == Bool? {
  /// 1 for true, 0 for false.
  public var int: TransformValue<Int?> { TransformValue<Int?>(.conversion(.int, expression)) }
}

extension TransformValue where Value == String? {
  /// The number that `Int(_:)` reads; nil for any other text.
  public var int: TransformValue<Int?> { TransformValue<Int?>(.conversion(.int, expression)) }
}

/// A type that `+ - * /` of ``TransformValue`` take: `Int`, `Int64`, `Double` and `Float`.
public protocol _TransformNumber: _Scalar {}
extension Int: _TransformNumber {}
extension Int64: _TransformNumber {}
extension Double: _TransformNumber {}
extension Float: _TransformNumber {}

/// A type whose values of ``TransformValue`` are less or greater than others: numbers, texts,
/// dates.
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
  /// One text behind the other.
  public static func + (first: TransformValue, second: TransformValue) -> TransformValue {
    TransformValue(.arithmetic(.add, first.expression, second.expression))
  }
}

extension TransformValue where Value: _TransformNumber {
  /// The sum; one that is out of range ends the migration with an error.
  public static func + (first: TransformValue, second: TransformValue) -> TransformValue {
    TransformValue(.arithmetic(.add, first.expression, second.expression))
  }

  /// The difference; one that is out of range ends the migration with an error.
  public static func - (first: TransformValue, second: TransformValue) -> TransformValue {
    TransformValue(.arithmetic(.subtract, first.expression, second.expression))
  }

  /// The product; one that is out of range ends the migration with an error.
  public static func * (first: TransformValue, second: TransformValue) -> TransformValue {
    TransformValue(.arithmetic(.multiply, first.expression, second.expression))
  }

  /// The quotient, for whole numbers without its fraction; one by zero ends the migration with an
  /// error.
  public static func / (first: TransformValue, second: TransformValue) -> TransformValue {
    TransformValue(.arithmetic(.divide, first.expression, second.expression))
  }
}

// MARK: Nil

/// The first value, or where it is nil the second.
public func ?? <Value>(
  first: TransformValue<Value?>, second: TransformValue<Value>
) -> TransformValue<Value> {
  TransformValue(.coalesce(first.expression, second.expression))
}

/// The first value, or where it is nil the second, which may be nil as well.
public func ?? <Value>(
  first: TransformValue<Value?>, second: TransformValue<Value?>
) -> TransformValue<Value?> {
  TransformValue(.coalesce(first.expression, second.expression))
}

// MARK: Comparing

extension TransformValue {
  /// Whether both are the same. Decimals can't be compared.
  public static func == (first: TransformValue, second: TransformValue) -> TransformValue<Bool> {
    TransformValue<Bool>(.comparison(.equal, first.expression, second.expression))
  }

  /// Whether both differ. Decimals can't be compared.
  public static func != (first: TransformValue, second: TransformValue) -> TransformValue<Bool> {
    TransformValue<Bool>(.comparison(.notEqual, first.expression, second.expression))
  }
}

extension TransformValue where Value: _OptionalPersistable {
  /// Whether a value that may be nil is this one. Decimals can't be compared.
  public static func == (
    first: TransformValue<Value?>, second: TransformValue
  ) -> TransformValue<Bool> {
    TransformValue<Bool>(.comparison(.equal, first.expression, second.expression))
  }

  /// Whether a value that may be nil is another one, or nil. Decimals can't be compared.
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
  /// Whether both are true. The second one is computed only where the first one is.
  public static func && (first: TransformValue, second: TransformValue) -> TransformValue {
    .when(first, then: second, else: false)
  }

  /// Whether one of them is true. The second one is computed only where the first one isn't.
  public static func || (first: TransformValue, second: TransformValue) -> TransformValue {
    .when(first, then: true, else: second)
  }

  /// Whether it is false.
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
