/// The compiler of expressions into SQL, which also checks their types.
///
/// Columns belong to the old table. Operations that SQLite computes differently from Swift use
/// functions (``TransformFunction``). For example, integer sums that overflow would silently become
/// floating-point numbers.
package struct TransformCompiler: Sendable {
  /// An expression in SQL.
  package struct Result: Sendable, Hashable {
    package var sql: String
    package var type: PropertyType
    package var isOptional: Bool
    /// Whether it needs the functions of this library.
    package var needsFunctions = false
  }

  private let schema: ObjectSchema
  private let table: String

  /// Creates a compiler for a class as it is stored in the file now.
  package init(_ schema: ObjectSchema) {
    self.schema = schema.stored
    table = SQLName.quote(schema.className)
  }

  /// Compiles the new value of a property.
  ///
  /// An optional value fits a required property: whether it is nil is checked when it is computed.
  package func compile(
    _ expression: TransformExpression, for target: Property
  ) throws(TransformProblem) -> Result {
    guard Self.isScalar(target) else { throw .unwritable(target) }
    let result = try compile(expression, as: target.type)
    guard result.type == target.type else { throw .result(result.type, target.type) }
    return result
  }

  /// - Parameter wanted: The type that a literal takes if possible.
  private func compile(
    _ expression: TransformExpression, as wanted: PropertyType?
  ) throws(TransformProblem) -> Result {
    switch expression {
    case .property(let name, let declared): return try property(name, declared)
    case .unpersisted: throw .unpersisted
    case .unset(let name): throw .unset(name)
    case .literal(let value, let type): return try literal(value, type, as: wanted)
    case .arithmetic(let operation, let first, let second):
      return try arithmetic(operation, first, second, as: wanted)
    case .coalesce(let first, let second):
      let (first, second) = try pair(first, second, as: wanted, of: "??")
      return Self.join(
        "coalesce(\(first.sql), \(second.sql))", first.type, [first, second],
        isOptional: second.isOptional)
    case .comparison(let comparison, let first, let second):
      return try compare(comparison, first, second)
    case .when(let condition, let first, let second):
      let condition = try compile(condition, as: .bool)
      guard condition.type == .bool else { throw .condition(condition.type) }
      let (first, second) = try pair(first, second, as: wanted, of: "when")
      return Self.join(
        "CASE WHEN \(condition.sql) THEN \(first.sql) ELSE \(second.sql) END", first.type,
        [condition, first, second], isOptional: first.isOptional || second.isOptional)
    case .conversion(let conversion, let value):
      return try convert(conversion, compile(value, as: nil))
    }
  }

  private static func isScalar(_ property: Property) -> Bool {
    property.isStoredInColumn && property.type != .object && property.type != .any
  }

  private static func join(
    _ sql: String, _ type: PropertyType, _ parts: [Result], isOptional: Bool,
    needsFunctions: Bool = false
  ) -> Result {
    Result(
      sql: sql, type: type, isOptional: isOptional,
      needsFunctions: needsFunctions || parts.contains(where: \.needsFunctions))
  }

  // MARK: Values

  private func property(
    _ name: String, _ declared: TransformExpression.ValueType?
  ) throws(TransformProblem) -> Result {
    guard let property = schema.properties.first(where: { SQLName.same($0.columnName, name) })
    else { throw .unknownProperty(name, known: schema.properties.map(\.columnName)) }
    guard Self.isScalar(property) else { throw .unreadable(property) }
    if let declared, declared.type != property.type || declared.isOptional != property.isNullable {
      throw .otherType(property, declared: declared)
    }
    return Result(
      sql: "\(table).\(SQLName.quote(name))", type: property.type, isOptional: property.isNullable)
  }

  private func literal(
    _ value: StoredValue, _ type: PropertyType?, as wanted: PropertyType?
  ) throws(TransformProblem) -> Result {
    let isFraction = wanted == .double || wanted == .float
    switch (value, type) {
    case (.null, _):
      guard let type = type ?? wanted else { throw .untypedNil }
      return Result(sql: "NULL", type: type, isOptional: true)
    case (.integer(let number), nil) where isFraction:
      return real(Double(number), wanted ?? .double)
    case (.real(let number), _) where number.isNaN: throw .unstorable
    case (.real(let number), nil): return real(number, wanted == .float ? .float : .double)
    case (.real(let number), let type?): return real(number, type)
    case (_, let type?): return Result(sql: value.sqlLiteral, type: type, isOptional: false)
    case (.integer, nil): return Result(sql: value.sqlLiteral, type: .int, isOptional: false)
    case (.text, nil): return Result(sql: value.sqlLiteral, type: .string, isOptional: false)
    case (.blob, nil): return Result(sql: value.sqlLiteral, type: .data, isOptional: false)
    }
  }

  /// SQLite doesn't read every decimal number as the nearest double.
  private func real(_ number: Double, _ type: PropertyType) -> Result {
    let number = type == .float ? Double(Float(number)) : number
    let value = StoredValue.real(number)
    if value.isExactLiteral {
      return Result(sql: value.sqlLiteral, type: type, isOptional: false)
    }
    let bits = Int64(bitPattern: number.bitPattern)
    return Result(
      sql: TransformFunction.bits.call("\(bits)"), type: type, isOptional: false,
      needsFunctions: true)
  }

  // MARK: Two values

  /// Compiles both operands. A literal takes the type of the other one.
  private func pair(
    _ first: TransformExpression, _ second: TransformExpression, as wanted: PropertyType?,
    of name: String
  ) throws(TransformProblem) -> (Result, Result) {
    let results: (Result, Result)
    if first.isUntyped {
      let second = try compile(second, as: wanted)
      results = (try compile(first, as: second.type), second)
    } else {
      let first = try compile(first, as: wanted)
      results = (first, try compile(second, as: first.type))
    }
    guard results.0.type == results.1.type else {
      throw .operands(name, results.0.type, results.1.type)
    }
    return results
  }

  private func arithmetic(
    _ operation: TransformExpression.Arithmetic, _ first: TransformExpression,
    _ second: TransformExpression, as wanted: PropertyType?
  ) throws(TransformProblem) -> Result {
    let (first, second) = try pair(first, second, as: wanted, of: operation.rawValue)
    let isOptional = first.isOptional || second.isOptional
    switch first.type {
    case .string where operation == .add:
      return Self.join(
        "(\(first.sql) || \(second.sql))", .string, [first, second], isOptional: isOptional)
    case .int, .double, .float:
      let function = TransformFunction.calculation(operation, first.type)
      return Self.join(
        function.call(first.sql, second.sql), first.type, [], isOptional: isOptional,
        needsFunctions: true)
    default: throw .operands(operation.rawValue, first.type, second.type)
    }
  }

  /// Nil is equal to nil, and neither less nor greater than anything.
  private func compare(
    _ comparison: TransformExpression.Comparison, _ first: TransformExpression,
    _ second: TransformExpression
  ) throws(TransformProblem) -> Result {
    let (first, second) = try pair(first, second, as: nil, of: comparison.rawValue)
    func result(_ sql: String) -> Result {
      Self.join(sql, .bool, [first, second], isOptional: false)
    }
    switch comparison {
    case .equal where first.type != .decimal128: return result("(\(first.sql) IS \(second.sql))")
    case .notEqual where first.type != .decimal128:
      return result("(\(first.sql) IS NOT \(second.sql))")
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard [.int, .double, .float, .string, .date].contains(first.type) else { break }
      let sql = "\(first.sql) \(comparison.rawValue) \(second.sql)"
      return result(first.isOptional || second.isOptional ? "coalesce(\(sql), 0)" : "(\(sql))")
    case .equal, .notEqual: break
    }
    throw .operands(comparison.rawValue, first.type, second.type)
  }

  // MARK: Conversions

  private func convert(
    _ conversion: TransformExpression.Conversion, _ value: Result
  ) throws(TransformProblem) -> Result {
    switch (conversion, value.type) {
    case (.text, .string), (.int, .int), (.double, .double): return value
    case (.text, .int):
      return Self.join(
        "CAST(\(value.sql) AS TEXT)", .string, [value], isOptional: value.isOptional)
    case (.int, .bool):
      return Self.join(value.sql, .int, [value], isOptional: value.isOptional)
    case (.int, .string):
      return Self.join(
        TransformFunction.parse.call(value.sql), .int, [], isOptional: true, needsFunctions: true)
    case (.int, .double), (.int, .float):
      return Self.join(
        TransformFunction.truncate.call(value.sql), .int, [], isOptional: value.isOptional,
        needsFunctions: true)
    case (.double, .int), (.double, .float):
      return Self.join(
        "CAST(\(value.sql) AS REAL)", .double, [value], isOptional: value.isOptional)
    default: throw .conversion(conversion, value.type)
    }
  }
}

extension TransformExpression {
  /// Whether it is a literal that takes the type of the other operand.
  fileprivate var isUntyped: Bool {
    if case .literal(_, nil) = self { true } else { false }
  }

  /// The columns of the old table that the expression reads.
  package var columns: Set<String> {
    switch self {
    case .property(let name, _): [name]
    case .literal, .unset, .unpersisted: []
    case .arithmetic(_, let first, let second), .coalesce(let first, let second),
      .comparison(_, let first, let second):
      first.columns.union(second.columns)
    case .when(let condition, let first, let second):
      condition.columns.union(first.columns).union(second.columns)
    case .conversion(_, let value): value.columns
    }
  }
}
