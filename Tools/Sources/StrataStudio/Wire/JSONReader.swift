package import StrataSchema

/// A parser of JSON as in RFC 8259.
///
/// The parser refuses duplicate members. Integers within 64 bits keep all their digits.
package struct JSONReader {
  private var json: JSONScanner
  /// The maximum nesting: each level needs stack.
  private static let maxDepth = 200

  package static func read(_ bytes: [UInt8]) throws(JSONProblem) -> JSONValue {
    var reader = JSONReader(json: JSONScanner(bytes))
    let value = try reader.value(depth: 0)
    try reader.json.requireEnd()
    return value
  }

  private mutating func value(depth: Int) throws(JSONProblem) -> JSONValue {
    guard depth <= Self.maxDepth else { throw json.problem("at most \(Self.maxDepth) levels") }
    switch json.next() {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .text(try json.text())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    default: throw json.problem("a value")
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONProblem) -> JSONValue {
    try json.require(word: word)
    return value
  }

  private mutating func array(depth: Int) throws(JSONProblem) -> JSONValue {
    try json.require("[")
    if json.take("]") { return .array([]) }
    var values: [JSONValue] = []
    repeat { values.append(try value(depth: depth + 1)) } while json.take(",")
    try json.requireEnd("]")
    return .array(values)
  }

  private mutating func object(depth: Int) throws(JSONProblem) -> JSONValue {
    try json.require("{")
    if json.take("}") { return .object([]) }
    var members: [JSONValue.Member] = []
    var names: Set<StoredText> = []
    repeat {
      guard json.next() == UInt8(ascii: "\"") else { throw json.problem("a name") }
      let start = json.offset
      let name = try json.text()
      guard names.insert(StoredText(name)).inserted else {
        throw JSONProblem(
          expected: "another name than '\(name)', which occurs twice", offset: start)
      }
      try json.require(":")
      members.append(JSONValue.Member(name, try value(depth: depth + 1)))
    } while json.take(",")
    try json.requireEnd("}")
    return .object(members)
  }

  private mutating func number() throws(JSONProblem) -> JSONValue {
    let start = json.offset
    let (text, isInteger) = try json.number()
    if isInteger, let number = Int64(text) { return .int(number) }
    guard let number = Double(text), number.isFinite else {
      throw JSONProblem(expected: "a number that 64 bits can hold", offset: start)
    }
    return .number(number)
  }
}
