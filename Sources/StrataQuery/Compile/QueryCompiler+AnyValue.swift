import StrataSchema

/// `AnyRealmValue`: numbers of all types are compared with each other, and other values only with
/// values of their own type.
extension QueryCompiler {
  private static let numbers = "('int', 'float', 'double')"

  func anyObject(_ sql: String, _ typeSQL: String, _ className: String, _ row: Int64) -> String {
    let type = StoredValue.text(AnyValueSQL.typeName(className: className)).sqlLiteral
    // Without the last condition SQLite does not use the index of the links.
    return "(\(sql) = \(parameter(.integer(row))) AND \(typeSQL) = \(type) AND \(typeSQL) < 'a')"
  }

  func anyEquality(
    _ left: SQLValue, _ value: StoredValue, _ type: PropertyType, _ options: QueryOptions
  ) -> String {
    let typeSQL = left.typeSQL ?? "NULL"
    if type == .any, case .text(let text) = value { return anyNested(left, text) }
    guard type.isNumeric else {
      let equal =
        options.isEmpty || (type != .string && type != .data)
        ? "\(left.sql) = \(parameter(value))"
        : "strata_equal(\(left.sql), \(parameter(value)), \(options.rawValue))"
      return "(\(equal) AND \(typeSQL) = \(Self.name(type)))"
    }
    return anyNumber(left, "=", value, type)
  }

  /// Returns a comparison with a list or a dictionary: equal ones have the same text.
  private func anyNested(_ left: SQLValue, _ text: String) -> String {
    let kind: NestedKind = text.hasPrefix("[") ? .list : .dictionary
    let name = StoredValue.text(kind.rawValue).sqlLiteral
    return "(\(left.sql) = \(parameter(.text(text))) AND \(left.typeSQL ?? "NULL") = \(name))"
  }

  func anyOrder(
    _ left: SQLValue, _ operator: QueryOperator, _ value: StoredValue, _ type: PropertyType
  ) -> String {
    if type.isNumeric { return anyNumber(left, `operator`.rawValue, value, type) }
    let typeSQL = left.typeSQL ?? "NULL"
    return
      "(\(left.sql) \(`operator`.rawValue) \(parameter(value)) AND \(typeSQL) = \(Self.name(type)))"
  }

  private func anyNumber(
    _ left: SQLValue, _ operator: String, _ value: StoredValue, _ type: PropertyType
  ) -> String {
    let typeSQL = left.typeSQL ?? "NULL"
    guard type != .decimal128 else {
      let number = parameter(value)
      return """
        (\(typeSQL) IN ('int', 'float', 'double', 'decimal') AND \
        strata_compare(\(left.sql), \(typeSQL), \(number), 'decimal') \(`operator`) 0)
        """
    }
    let decimal = parameter(.text(value.decimalText))
    return """
      ((\(left.sql) \(`operator`) \(parameter(value)) AND \(typeSQL) IN \(Self.numbers)) OR \
      (\(typeSQL) = 'decimal' AND \(left.sql) \(`operator`) \(decimal) COLLATE strata_decimal AND \
      \(left.sql) <> 'NaN'))
      """
  }

  private static func name(_ type: PropertyType) -> String {
    StoredValue.text(type.rawValue).sqlLiteral
  }

  /// Returns conditions that the value is one of several, which are not nil.
  func anyMembership(
    _ left: SQLValue, _ list: [ResolvedConstant], _ options: QueryOptions
  ) -> [String] {
    var conditions: [String] = []
    var values: [PropertyType: [StoredValue]] = [:]
    var numbers: [StoredValue] = []
    for constant in list {
      switch constant {
      case .null: break
      case .object(let object):
        guard let row = object.row else { continue }
        conditions.append(anyObject(left.sql, left.typeSQL ?? "NULL", object.className, row))
      case .value(.text(let text), .any): conditions.append(anyNested(left, text))
      case .value(let value, .decimal128):
        conditions.append(anyNumber(left, "=", value, .decimal128))
      case .value(let value, let type):
        if type.isNumeric { numbers.append(value) } else { values[type, default: []].append(value) }
      }
    }
    if !numbers.isEmpty { conditions.append(anyNumbers(left, numbers)) }
    for (type, values) in values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let set = one(of: values, left.sql, type, [.string, .data].contains(type) ? options : [])
      conditions.append("(\(set) AND \(left.typeSQL ?? "NULL") = \(Self.name(type)))")
    }
    return conditions
  }

  /// Returns a condition that the value is one of several numbers, none of which is a decimal.
  private func anyNumbers(
    _ left: SQLValue, _ numbers: [StoredValue]
  ) -> String {
    let typeSQL = left.typeSQL ?? "NULL"
    let integers = numbers.filter { if case .integer = $0 { true } else { false } }
    let reals = numbers.filter { if case .real = $0 { true } else { false } }
    let sets = [(integers, PropertyType.int), (reals, .double)].filter { !$0.0.isEmpty }
      .map { one(of: $0.0, left.sql, $0.1, []) }
    let decimals = one(of: numbers.map { .text($0.decimalText) }, left.sql, .decimal128, [])
    return """
      ((\(typeSQL) IN \(Self.numbers) AND (\(sets.joined(separator: " OR ")))) OR \
      (\(typeSQL) = 'decimal' AND \(decimals)))
      """
  }
}

extension StoredValue {
  /// The number as a decimal text.
  fileprivate var decimalText: String {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): DecimalText.of(value)
    case .text(let text): text
    case .null, .blob: ""
    }
  }
}
