/// An expression for a property: a value that is computed from the old properties of the same
/// object.
///
/// ```swift
/// .arithmetic(.add, .property("firstName"), .literal(.text("!"), nil))   // "firstName" || '!'
/// ```
package indirect enum TransformExpression: Sendable, Hashable {
  /// An operator between two values of one type.
  package enum Arithmetic: String, Sendable, Hashable, CaseIterable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
  }

  /// A question about two values of one type.
  package enum Comparison: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// A value of one type made of one of another.
  package enum Conversion: String, Sendable, Hashable, CaseIterable {
    case text, int, double
  }

  /// A type as the program declares it.
  package struct ValueType: Sendable, Hashable {
    package var type: PropertyType
    /// Whether nil is among its values.
    package var isOptional: Bool

    package init(_ type: PropertyType, isOptional: Bool = false) {
      self.type = type
      self.isOptional = isOptional
    }
  }

  /// A property of the old object by its column; with the type that the program takes it to have.
  case property(String, ValueType?)
  /// A value of the old object that is not a property of the file: computed in Swift.
  case unpersisted
  /// A property of the new object that was not set, and has no value yet.
  case unset(String)
  /// A value; without a type, a number or a text as it was written, or nil, which takes the type of
  /// the other operand.
  case literal(StoredValue, PropertyType?)
  /// Of texts, which are joined, or of numbers of one type.
  case arithmetic(Arithmetic, TransformExpression, TransformExpression)
  /// The first, or where it is nil the second.
  case coalesce(TransformExpression, TransformExpression)
  case comparison(Comparison, TransformExpression, TransformExpression)
  /// The second if the first is true, or else the third.
  case when(TransformExpression, then: TransformExpression, otherwise: TransformExpression)
  case conversion(Conversion, TransformExpression)
}
