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
