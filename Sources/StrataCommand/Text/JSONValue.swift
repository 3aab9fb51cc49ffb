/// A value of JSON whose keys keep their order.
indirect enum JSONValue: Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  case unsigned(UInt64)
  /// Shown as null where JSON has no such number.
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([Member])

  struct Member: Hashable {
    let key: String
    let value: JSONValue
  }

  /// An object whose members stay in their order.
  static func members(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { Member(key: $0.key, value: $0.value) })
  }

  static func int(_ number: Int) -> JSONValue { .int(Int64(number)) }

  /// A value, or null.
  static func optional<Value>(_ value: Value?, _ make: (Value) -> JSONValue) -> JSONValue {
    value.map(make) ?? .null
  }

  static func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map { .text($0) }) }
}

extension JSONValue: CustomStringConvertible {
  /// Indented by two spaces. The same value gives the same text.
  var description: String { text(indent: "") }

  private func text(indent: String) -> String {
    switch self {
    case .null: "null"
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .int(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .number(let number): number.isFinite ? "\(number)" : "null"
    case .text(let text): Self.quoted(text)
    case .array(let values):
      Self.list(values.map { $0.text(indent: indent + "  ") }, "[", "]", indent)
    case .object(let members):
      Self.list(
        members.map { "\(Self.quoted($0.key)): \($0.value.text(indent: indent + "  "))" },
        "{", "}", indent)
    }
  }

  private static func list(
    _ parts: [String], _ open: String, _ close: String, _ indent: String
  ) -> String {
    guard !parts.isEmpty else { return open + close }
    let lines = parts.map { "\(indent)  \($0)" }.joined(separator: ",\n")
    return "\(open)\n\(lines)\n\(indent)\(close)"
  }

  /// Control characters and those that a terminal acts on are escaped; all others stay.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{202A}"..."\u{202E}",
        "\u{2066}"..."\u{2069}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
