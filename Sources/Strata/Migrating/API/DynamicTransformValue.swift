/// A value in a `transform` expression with property names: like ``TransformValue``, with types
/// that are known only when the migration runs.
///
/// ```swift
/// migration.transform("Person") { old, new in
///   new["fullName"] = old["firstName"] + " " + old["lastName"]
/// }
/// ```
///
/// Mismatched types fail the migration before anything is written. An operation on nil gives nil. A
/// required property that would become nil fails the migration; the error has the number of
/// objects.
public struct DynamicTransformValue: Sendable {
  let expression: TransformExpression

  init(_ expression: TransformExpression) { self.expression = expression }

  /// Returns a constant. A value that SQLite can't store, such as NaN, fails the migration.
  public static func value<Value: _Scalar>(_ value: Value) -> DynamicTransformValue {
    DynamicTransformValue(TransformValue.value(value).expression)
  }

  /// Returns the first value where a condition is true, otherwise the second.
  public static func when(_ condition: Self, then first: Self, else second: Self) -> Self {
    Self(.when(condition.expression, then: first.expression, otherwise: second.expression))
  }

  // MARK: Conversions

  /// The text of an integer, as Swift writes it.
  public var text: DynamicTransformValue { converted(.text) }

  /// The integer that `Int(_:)` reads from a string, or nil; the integer part of a number; 1 and 0
  /// for true and false.
  public var int: DynamicTransformValue { converted(.int) }

  /// A number as a `Double`.
  public var double: DynamicTransformValue { converted(.double) }

  private func converted(_ conversion: TransformExpression.Conversion) -> DynamicTransformValue {
    DynamicTransformValue(.conversion(conversion, expression))
  }

  // MARK: Joining and computing

  /// Concatenates two strings, or adds two numbers.
  public static func + (first: Self, second: Self) -> Self {
    Self(.arithmetic(.add, first.expression, second.expression))
  }

  /// Subtracts two numbers.
  public static func - (first: Self, second: Self) -> Self {
    Self(.arithmetic(.subtract, first.expression, second.expression))
  }

  /// Multiplies two numbers.
  public static func * (first: Self, second: Self) -> Self {
    Self(.arithmetic(.multiply, first.expression, second.expression))
  }

  /// Divides two numbers. The quotient of integers has no fraction.
  public static func / (first: Self, second: Self) -> Self {
    Self(.arithmetic(.divide, first.expression, second.expression))
  }
}

/// Returns the first value, or the second one if the first is nil.
public func ?? (
  first: DynamicTransformValue, second: DynamicTransformValue
) -> DynamicTransformValue {
  DynamicTransformValue(.coalesce(first.expression, second.expression))
}

// MARK: Comparing

extension DynamicTransformValue {
  /// Whether two values are equal.
  public static func == (first: Self, second: Self) -> Self { compare(.equal, first, second) }

  /// Whether two values differ.
  public static func != (first: Self, second: Self) -> Self { compare(.notEqual, first, second) }

  /// Whether a value is less than another one.
  public static func < (first: Self, second: Self) -> Self { compare(.less, first, second) }

  /// Whether a value is not greater than another one.
  public static func <= (first: Self, second: Self) -> Self { compare(.lessOrEqual, first, second) }

  /// Whether a value is greater than another one.
  public static func > (first: Self, second: Self) -> Self { compare(.greater, first, second) }

  /// Whether a value is not less than another one.
  public static func >= (first: Self, second: Self) -> Self {
    compare(.greaterOrEqual, first, second)
  }

  private static func compare(
    _ comparison: TransformExpression.Comparison, _ first: Self, _ second: Self
  ) -> Self {
    Self(.comparison(comparison, first.expression, second.expression))
  }
}

// MARK: Conditions

extension DynamicTransformValue {
  /// Whether both are true. The second one is evaluated only if the first one is true.
  public static func && (first: Self, second: Self) -> Self {
    .when(first, then: second, else: false)
  }

  /// Whether at least one of them is true. The second one is evaluated only if the first one isn't
  /// true.
  public static func || (first: Self, second: Self) -> Self {
    .when(first, then: true, else: second)
  }

  /// Whether the value is false or nil.
  public static prefix func ! (value: DynamicTransformValue) -> DynamicTransformValue {
    .when(value, then: false, else: true)
  }
}

// MARK: Literals

extension DynamicTransformValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self.init(.literal(.text(value), nil)) }
  public init(integerLiteral value: Int) { self.init(.literal(.integer(Int64(value)), nil)) }
  public init(floatLiteral value: Double) { self.init(.literal(.real(value), nil)) }
  public init(booleanLiteral value: Bool) {
    self.init(.literal(.integer(value ? 1 : 0), .bool))
  }
  public init(nilLiteral: ()) { self.init(.literal(.null, nil)) }
}
