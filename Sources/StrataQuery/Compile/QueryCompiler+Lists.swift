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
      let (integers, others) = values.split { $0.isInteger }
      for values in [integers, others] where !values.isEmpty {
        conditions.append(one(of: values, left.sql, left.type, options))
      }
    }
    if list.contains(.null) { conditions.append("\(left.sql) IS NULL") }
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
    let (array, column) = JSONText.array(values)
    let all = "SELECT \(folded(column)) FROM json_each(\(parameter(.text(array))))"
    return "\(left) IN (\(all))"
  }
}

extension StoredValue {
  fileprivate var isInteger: Bool {
    if case .integer = self { true } else { false }
  }

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
enum JSONText {
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
      case .text(let text): append(text, to: &bytes)
      case .blob(let blob):
        append(digitsOf: blob, to: &bytes)
        column = "strata_bytes(value)"
      case .null: bytes += "null".utf8
      }
    }
    bytes.append(UInt8(ascii: "]"))
    return (String(decoding: bytes, as: UTF8.self), column)
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func append(digitsOf value: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in value { bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case ..<0x20:
        bytes += "\\u00".utf8
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
