import StrataSchema

/// A constant of the types that programs compare most, as a column of the same type keeps it.
enum UsualConstant: Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)
  case bool(Bool)

  /// Nil for values of other types, and for numbers that are compared in another way than all
  /// others.
  init?(_ value: QueryValue) {
    switch value {
    case .string(let text): self = .text(text)
    case .int(let number): self = .integer(number)
    case .double(let number) where number.isFinite: self = .real(number)
    case .bool(let value): self = .bool(value)
    default: return nil
    }
  }

  var type: PropertyType {
    switch self {
    case .text: .string
    case .integer: .int
    case .real: .double
    case .bool: .bool
    }
  }

  /// The parameter of a statement.
  var stored: StoredValue {
    switch self {
    case .text(let text): .text(text)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .bool(let value): .integer(value ? 1 : 0)
    }
  }

  /// The value in a tree.
  var value: QueryValue {
    switch self {
    case .text(let text): .string(text)
    case .integer(let number): .int(number)
    case .real(let number): .double(number)
    case .bool(let value): .bool(value)
    }
  }
}
