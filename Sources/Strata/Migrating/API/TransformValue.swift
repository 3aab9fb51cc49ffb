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
