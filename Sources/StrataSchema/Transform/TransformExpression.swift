/// An expression for a property: a value that is computed from the old properties of the same
/// object.
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

/// A function for expressions that SQLite computes differently from Swift.
package enum TransformFunction: Sendable, Hashable {
  /// An operator between two numbers of one type.
  case calculation(TransformExpression.Arithmetic, PropertyType)
  /// Parses an integer like `Int(_:)`; NULL for any other text.
  case parse
  /// Truncates a number with a fraction to an integer like `Int(_:)`.
  case truncate
  /// Converts bits to a `Double`.
  case bits

  package var name: String {
    switch self {
    case .calculation(let operation, let type): "strata_\(operation)_\(type.rawValue)"
    case .parse: "strata_parse_int"
    case .truncate: "strata_truncate"
    case .bits: "strata_bits"
    }
  }

  package static var all: [TransformFunction] {
    TransformExpression.Arithmetic.allCases.flatMap { operation in
      [.int, .double, .float].map { .calculation(operation, $0) }
    } + [.parse, .truncate, .bits]
  }

  package var argumentCount: Int {
    if case .calculation = self { 2 } else { 1 }
  }

  func call(_ arguments: String...) -> String {
    "\(name)(\(arguments.joined(separator: ", ")))"
  }

  /// Computes a value; NULL if an argument is NULL.
  ///
  /// - Throws: ``Failure`` if Swift would stop the process, and for values that SQLite can't store.
  package func value(_ arguments: [StoredValue]) throws(Failure) -> StoredValue {
    switch (self, arguments.first, arguments.last) {
    case (.calculation(let operation, .int), .integer(let first)?, .integer(let second)?):
      return .integer(try Self.calculate(operation, first, second))
    case (.calculation(let operation, let type), .real(let first)?, .real(let second)?):
      return .real(try Self.calculate(operation, first, second, isFloat: type == .float))
    case (.parse, .text(let text)?, _):
      return Int64(text).map(StoredValue.integer) ?? .null
    case (.truncate, .real(let number)?, _):
      guard let whole = Int64(exactly: number.rounded(.towardZero)) else {
        throw Failure(text: "\(number) is out of the range of Int")
      }
      return .integer(whole)
    case (.bits, .integer(let bits)?, _):
      return .real(Double(bitPattern: UInt64(bitPattern: bits)))
    default: return .null
    }
  }

  /// A failed computation: `9223372036854775807 + 1 is out of the range of Int`.
  package struct Failure: Error, Sendable, Hashable {
    package var text: String
  }

  private static func calculate(
    _ operation: TransformExpression.Arithmetic, _ first: Int64, _ second: Int64
  ) throws(Failure) -> Int64 {
    let (value, overflow) =
      switch operation {
      case .add: first.addingReportingOverflow(second)
      case .subtract: first.subtractingReportingOverflow(second)
      case .multiply: first.multipliedReportingOverflow(by: second)
      case .divide: first.dividedReportingOverflow(by: second)
      }
    guard !overflow else {
      throw Failure(
        text: "\(first) \(operation.rawValue) \(second) "
          + (operation == .divide && second == 0 ? "has no value" : "is out of the range of Int"))
    }
    return value
  }

  private static func calculate(
    _ operation: TransformExpression.Arithmetic, _ first: Double, _ second: Double, isFloat: Bool
  ) throws(Failure) -> Double {
    var value =
      switch operation {
      case .add: first + second
      case .subtract: first - second
      case .multiply: first * second
      case .divide: first / second
      }
    if isFloat { value = Double(Float(value)) }
    guard !value.isNaN else {
      throw Failure(
        text: "\(first) \(operation.rawValue) \(second) is NaN, which SQLite can't keep")
    }
    return value
  }
}

/// The reason why an expression can't be the value of a property.
package enum TransformProblem: Error, Sendable, Hashable {
  /// The old class has no such property.
  case unknownProperty(String, known: [String])
  /// The expression reads something that is not a property of the file.
  case unpersisted
  /// The expression reads a property of the new class that was not set before.
  case unset(String)
  /// The property is a link, a collection or an `AnyRealmValue`.
  case unreadable(Property)
  /// The property has another type in the file than the program expects.
  case otherType(Property, declared: TransformExpression.ValueType)
  /// An operator doesn't accept values of these types.
  case operands(String, PropertyType, PropertyType)
  /// A conversion doesn't accept a value of this type.
  case conversion(TransformExpression.Conversion, PropertyType)
  /// A condition is not a `Bool`.
  case condition(PropertyType)
  /// The type of a nil is unknown.
  case untypedNil
  /// SQLite can't store a constant.
  case unstorable
  /// The property can't be set by an expression: a link, a collection or an `AnyRealmValue`.
  case unwritable(Property)
  /// The value has another type than the property.
  case result(PropertyType, PropertyType)
}

extension TransformProblem: CustomStringConvertible {
  /// The problem and the repair.
  package var description: String {
    switch self {
    case .unknownProperty(let name, let known):
      "the file has no property '\(name)'. It has: \(known.joined(separator: ", "))."
    case .unpersisted:
      "the expression reads something that is not a '@Persisted' property of the old class. Use the "
        + "properties that it is computed from."
    case .unset(let name):
      "'\(name)' is read on the new side, where it has no value yet. Read a property of the old side."
    case .unreadable(let property):
      "'\(property.columnName)' is of type '\(property.typeName)', which an expression can't read. "
        + "Use 'enumerateObjects', or 'renameProperty' for another name."
    case .otherType(let property, let declared):
      "'\(property.columnName)' is of type '\(Self.name(property.type, property.isNullable))' in the "
        + "file, and of type '\(Self.name(declared.type, declared.isOptional))' in the class that it "
        + "is read as. Use the class as it was when the file was written."
    case .operands(let name, let first, let second):
      "'\(name)' can't be used with '\(first.rawValue)' and '\(second.rawValue)'. \(Self.rule(name))"
    case .conversion(let conversion, let type):
      "'.\(conversion.rawValue)' can't be used with '\(type.rawValue)'. \(Self.rule(conversion))"
    case .condition(let type):
      "a condition must be of type 'bool', not '\(type.rawValue)'. Compare it with a value."
    case .untypedNil:
      "nil has no type here. Leave it out."
    case .unstorable:
      "a constant can't be stored: SQLite has no NaN, and dates are in the years 0000 to 9999. "
        + "Use another one, or nil."
    case .unwritable(let property):
      "an expression can't be of type '\(property.typeName)'. Use 'enumerateObjects'."
    case .result(let type, let wanted):
      "its expression is of type '\(type.rawValue)', and the property of type '\(wanted.rawValue)'. "
        + "Convert it with '.text', '.int' or '.double', or use 'enumerateObjects'."
    }
  }

  private static func name(_ type: PropertyType, _ isOptional: Bool) -> String {
    type.rawValue + (isOptional ? "?" : "")
  }

  private static func rule(_ name: String) -> String {
    let convert = "Convert one of them with '.text', '.int' or '.double'."
    return switch name {
    case "+": "It takes two texts, or two numbers of one type. \(convert)"
    case "-", "*", "/": "It takes two numbers of one type. \(convert)"
    case "??", "when": "Both values must be of one type. \(convert)"
    case "==", "!=": "It takes two values of one type, but no decimals. \(convert)"
    default: "It takes two numbers, texts or dates. \(convert)"
    }
  }

  private static func rule(_ conversion: TransformExpression.Conversion) -> String {
    switch conversion {
    case .text: "It takes an 'int' or a 'string'."
    case .int: "It takes a 'string', a 'bool', a 'float', a 'double' or an 'int'."
    case .double: "It takes an 'int', a 'float' or a 'double'."
    }
  }
}
