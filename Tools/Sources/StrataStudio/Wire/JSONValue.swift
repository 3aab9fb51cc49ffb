import StrataSchema

/// A JSON value whose members keep their order.
///
/// ```swift
/// let value: JSONValue = ["count": 3, "names": ["Ada", "Rex"], "next": .null]
/// value["count"]?.integer  // 3
/// ```
package indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([Member])

  /// A name and its value in an object.
  package struct Member: Hashable, Sendable {
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int64) { self = .int(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSONValue {
  package static func int(_ number: Int) -> JSONValue { .int(Int64(number)) }

  /// The time since a moment, in milliseconds with one decimal digit.
  static func milliseconds(since start: ContinuousClock.Instant) -> JSONValue {
    .number(((ContinuousClock.now - start) / .milliseconds(1) * 10).rounded() / 10)
  }

  /// A value, or null.
  package static func optional<Value>(
    _ value: Value?, _ make: (Value) -> JSONValue
  ) -> JSONValue {
    value.map(make) ?? .null
  }

  /// The value of a member; nil if the member is missing, or if the value is no object.
  package subscript(name: String) -> JSONValue? {
    members?.first { $0.name == name }?.value
  }

  /// The text; nil for any other value.
  package var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The integer, also if it is written as a text, as beyond ±2⁵³; nil for other values.
  package var integer: Int64? {
    switch self {
    case .int(let number): number
    case .text(let text): Int64(text)
    default: nil
    }
  }

  package var bool: Bool? { if case .bool(let isTrue) = self { isTrue } else { nil } }

  /// The members of an object; nil for any other value.
  var members: [Member]? { if case .object(let members) = self { members } else { nil } }

  package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
}

extension JSONValue {
  package static func unsigned(_ number: UInt64) -> JSONValue {
    Int64(exactly: number).map { .int($0) } ?? .text("\(number)")
  }

  package static func texts(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map { .text($0) })
  }

  /// An object with a member for each value, sorted by name.
  package static func sorted<Value>(
    _ values: [String: Value], _ make: (Value) -> JSONValue
  ) -> JSONValue {
    .object(values.sorted { $0.key < $1.key }.map { Member($0.key, make($0.value)) })
  }

  /// An object with the members of several ones, in their order.
  package static func joined(_ objects: JSONValue...) -> JSONValue {
    .object(objects.flatMap { $0.members ?? [] })
  }

  /// The value for people: indented by two spaces, with control characters escaped. The same value
  /// always gives the same text.
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

  /// Escapes characters that a terminal acts on, such as control characters.
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
        result += "\\u" + hexDigits(of: UInt16(scalar.value))
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension JSONValue {
  /// The value without spaces, in UTF-8. The same value always gives the same bytes.
  ///
  /// Integers beyond ±2⁵³ are texts: programs that read all numbers as `Double`, as JavaScript
  /// does, would change them. Infinities and NaN are texts, too: JSON has no numbers for them.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// The largest integer that a `Double` distinguishes from its neighbours.
  private static let largestExact: Int64 = 1 << 53

  /// Appends the value to a text that is made in pieces.
  package func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let isTrue): bytes.append(contentsOf: (isTrue ? "true" : "false").utf8)
    case .int(let number):
      let isExact = -Self.largestExact...Self.largestExact ~= number
      bytes.append(contentsOf: (isExact ? "\(number)" : "\"\(number)\"").utf8)
    case .number(let number): Self.append(number, to: &bytes)
    case .text(let text): JSONText.append(text, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONText.append(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func append(_ number: Double, to bytes: inout [UInt8]) {
    if number.isFinite {
      bytes.append(contentsOf: "\(number)".utf8)
    } else {
      // The names that JavaScript's `Number` parses.
      let name = number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
      bytes.append(contentsOf: "\"\(name)\"".utf8)
    }
  }
}

extension JSONValue: CustomStringConvertible {
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}
