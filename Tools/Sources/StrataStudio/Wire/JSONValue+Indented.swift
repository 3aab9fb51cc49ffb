extension JSONValue {
  package static func unsigned(_ number: UInt64) -> JSONValue {
    Int64(exactly: number).map { .int($0) } ?? .text("\(number)")
  }

  package static func texts(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map { .text($0) })
  }

  /// The value for people, and for programs that a person looks over the shoulder of: indented by
  /// two spaces, with characters that a terminal acts on as escapes. The same value gives the same
  /// text.
  package var indented: String { text(indent: "") }

  private func text(indent: String) -> String {
    switch self {
    case .null, .bool, .int, .number: description
    case .text(let text): Self.quoted(text)
    case .array(let values):
      Self.list(values.map { $0.text(indent: indent + "  ") }, "[", "]", indent)
    case .object(let members):
      Self.list(
        members.map { "\(Self.quoted($0.name)): \($0.value.text(indent: indent + "  "))" },
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
