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
