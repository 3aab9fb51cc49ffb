import StrataSchema

extension QueryCompiler {
  /// The number of values that are bound separately; more are passed as one parameter. SQLite
  /// limits parameters, and each number of them would need its own statement.
  private static let maxParameters = 16

  /// Returns a condition that a value is one of a list.
  func membership(
    _ left: SQLValue, _ list: [ResolvedConstant], _ options: QueryOptions
  ) -> String {
    var conditions: [String] = []
    if left.typeSQL != nil {
      conditions = anyMembership(left, list.filter { !$0.isNaN }, options)
    } else {
      var values: [StoredValue] = []
      for constant in list where !constant.isNaN {
        switch constant {
        case .null: break
        case .object(let object):
          if let row = object.row { values.append(.integer(row)) }
        case .value(let value, let type):
          if left.isNumber(unlike: type) {
            conditions.append(compared(left, .equal, value, type))
          } else {
            values.append(value)
          }
        }
      }
      // Computed values of a collection are compared with integers and with other values.
      let (integers, others) = values.split { $0.integer != nil }
      for values in [integers, others] where !values.isEmpty {
        conditions.append(one(of: values, left.sql, left.type, options))
      }
    }
    if list.contains(.null) { conditions.append("\(left.nilText) IS NULL") }
    return conditions.isEmpty ? "0" : Self.join(conditions[...], " OR ")
  }

  /// Returns a condition that a value is one of several of the same type.
  func one(
    of values: [StoredValue], _ left: String, _ type: PropertyType, _ options: QueryOptions
  ) -> String {
    // SQLite uses the collation of the left side of `IN`.
    let left =
      !options.isEmpty
      ? "strata_fold(\(left), \(options.rawValue))"
      : type == .decimal128 ? "(\(left) COLLATE strata_decimal)" : left
    func folded(_ sql: String) -> String {
      options.isEmpty ? sql : "strata_fold(\(sql), \(options.rawValue))"
    }
    if values.count <= Self.maxParameters {
      return "\(left) IN (\(values.map { folded(parameter($0)) }.joined(separator: ", ")))"
    }
    let (array, column) = JSONArray.array(values)
    let all = "SELECT \(folded(column)) FROM json_each(\(parameter(.text(array))))"
    return "\(left) IN (\(all))"
  }
}

extension StoredValue {
  fileprivate var hasNul: Bool {
    if case .text(let text) = self { text.utf8.contains(0) } else { false }
  }
}

extension Array {
  fileprivate func split(_ isFirst: (Element) -> Bool) -> ([Element], [Element]) {
    (filter(isFirst), filter { !isFirst($0) })
  }
}

/// Values as a JSON array, which SQLite reads with `json_each`.
enum JSONArray {
  /// Returns the array, and the expression that gives back the exact value of an element.
  ///
  /// JSON has no exact form of floating-point numbers and of data, so bits and hexadecimal digits
  /// are passed instead. SQLite ends a text in JSON at U+0000. If one of the texts contains that
  /// character, all texts are passed as digits.
  static func array(_ values: [StoredValue]) -> (array: String, column: String) {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    var column = "value"
    let hasNul = values.contains(where: \.hasNul)
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      switch value {
      case .integer(let value): bytes += "\(value)".utf8
      case .real(let value):
        bytes += "\(Int64(bitPattern: value.bitPattern))".utf8
        column = "strata_double(value)"
      case .text(let text) where hasNul:
        append(digitsOf: text.utf8, to: &bytes)
        column = "CAST(strata_bytes(value) AS TEXT)"
      case .text(let text): JSONText.append(text, to: &bytes)
      case .blob(let blob):
        append(digitsOf: blob, to: &bytes)
        column = "strata_bytes(value)"
      case .null: bytes += "null".utf8
      }
    }
    bytes.append(UInt8(ascii: "]"))
    return (String(decoding: bytes, as: UTF8.self), column)
  }

  private static func append(digitsOf value: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(hexDigitsOf: value)
    bytes.append(UInt8(ascii: "\""))
  }
}

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
    let (integers, reals) = numbers.split { $0.integer != nil }
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
  fileprivate var decimalText: String {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): DecimalText.of(value)
    case .text(let text): text
    case .null, .blob: ""
    }
  }
}
