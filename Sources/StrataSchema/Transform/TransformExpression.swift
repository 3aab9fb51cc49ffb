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

  /// A comparison of two values of one type.
  package enum Comparison: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// A conversion of a value to another type.
  package enum Conversion: String, Sendable, Hashable, CaseIterable {
    case text, int, double
  }

  /// A type as declared by the program.
  package struct ValueType: Sendable, Hashable {
    package var type: PropertyType
    /// Whether nil is one of its values.
    package var isOptional: Bool

    package init(_ type: PropertyType, isOptional: Bool = false) {
      self.type = type
      self.isOptional = isOptional
    }
  }

  /// A property of the old object by its column, with the type that the program expects.
  case property(String, ValueType?)
  /// A value of the old object that is not a property of the file, but computed in Swift.
  case unpersisted
  /// A property of the new object that was not set, and has no value yet.
  case unset(String)
  /// A value. Without a type it is a number or a text as it was written, or nil, and takes the type
  /// of the other operand.
  case literal(StoredValue, PropertyType?)
  /// An operation on texts, which are joined, or on numbers of one type.
  case arithmetic(Arithmetic, TransformExpression, TransformExpression)
  /// The first value, or the second if the first is nil.
  case coalesce(TransformExpression, TransformExpression)
  case comparison(Comparison, TransformExpression, TransformExpression)
  /// The second value if the first is true, otherwise the third.
  case when(TransformExpression, then: TransformExpression, otherwise: TransformExpression)
  case conversion(Conversion, TransformExpression)
}
