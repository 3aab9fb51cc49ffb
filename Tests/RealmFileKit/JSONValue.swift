import Foundation

/// JSON as the descriptions of files have it: all numbers are integers.
package indirect enum JSONValue: Decodable, Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let number = try? value.decode(Int64.self) {
      self = .int(number)
    } else if let number = try? value.decode(UInt64.self) {
      self = .int(Int64(bitPattern: number))
    } else if let isTrue = try? value.decode(Bool.self) {
      self = .bool(isTrue)
    } else if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if let elements = try? value.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  /// An array whose order means nothing.
  package static func unordered(_ elements: [JSONValue]) -> JSONValue {
    .array(elements.sorted { $0.description < $1.description })
  }

  package subscript(key: String) -> JSONValue { members[key] ?? .null }

  package var members: [String: JSONValue] {
    guard case .object(let members) = self else { return [:] }
    return members
  }

  package var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  package var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  package var number: Int64? {
    guard case .int(let number) = self else { return nil }
    return number
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as text, which differs where bytes of texts do.
  package var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .string(let text): Self.quoted(text)
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.map { Self.quoted($0.key) + ":" + $0.value.description }.sorted()
        .joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 128 }
      ? "\"\(text)\""
      : "\"" + text.unicodeScalars.map { "\($0.value)" }.joined(separator: "·") + "\""
  }
}

extension RealFile {
  /// Returns the content of a file as Realm gave it.
  package static func json(_ name: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: url(name, "json")))
  }
}
