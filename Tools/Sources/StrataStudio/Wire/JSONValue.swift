/// A value of JSON whose members keep their order.
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

  /// The time since a moment, in milliseconds with one digit behind the point.
  static func milliseconds(since start: ContinuousClock.Instant) -> JSONValue {
    .number(((ContinuousClock.now - start) / .milliseconds(1) * 10).rounded() / 10)
  }

  /// A value, or null.
  package static func optional<Value>(
    _ value: Value?, _ make: (Value) -> JSONValue
  ) -> JSONValue {
    value.map(make) ?? .null
  }

  /// The value of a member; nil without one, and for what is no object.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text; nil for any other value.
  package var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The whole number, also if it is written as a text, as it is beyond ±2⁵³; nil for any other
  /// value.
  package var integer: Int64? {
    switch self {
    case .int(let number): number
    case .text(let text): Int64(text)
    default: nil
    }
  }

  package var bool: Bool? { if case .bool(let isTrue) = self { isTrue } else { nil } }

  package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
}
