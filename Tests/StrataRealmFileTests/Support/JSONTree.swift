/// JSON as a tree that compares numbers and keys by their text, without rounding or normalizing
/// them.
indirect enum JSONTree: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([(key: String, value: JSONTree)])

  static func == (lhs: JSONTree, rhs: JSONTree) -> Bool { lhs.description == rhs.description }

  /// An object with its members in the order of their keys.
  static func sorted(_ members: [(key: String, value: JSONTree)]) -> JSONTree {
    .object(members.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) })
  }

  /// An array whose order means nothing.
  static func unordered(_ elements: [JSONTree]) -> JSONTree {
    .array(elements.sorted { $0.description < $1.description })
  }

  subscript(key: String) -> JSONTree {
    guard case .object(let members) = self else { return .null }
    return members.first { $0.key == key }?.value ?? .null
  }

  var elements: [JSONTree] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  var members: [(key: String, value: JSONTree)] {
    guard case .object(let members) = self else { return [] }
    return members
  }

  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}

extension JSONTree: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): text
    case .string(let text): Self.quoted(text)
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.key) + ":" + $0.value.description }.joined(separator: ",")
        + "}"
    }
  }

  /// Texts are compared by their bytes.
  private static func quoted(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 128 }
      ? "\"\(text)\""
      : "\"" + text.unicodeScalars.map { "\($0.value)" }.joined(separator: "·") + "\""
  }
}

extension JSONTree {
  struct Mistake: Error {
    let position: Int
  }

  init(parsing bytes: [UInt8]) throws {
    var parser = Parser(bytes: bytes)
    self = try parser.value()
    parser.skipSpaces()
    guard parser.position == bytes.count else { throw Mistake(position: parser.position) }
  }

  private struct Parser {
    let bytes: [UInt8]
    var position = 0

    var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

    mutating func skipSpaces() {
      while [32, 10, 13, 9].contains(next) { position += 1 }
    }

    mutating func take(_ character: Character) -> Bool {
      skipSpaces()
      guard next == character.asciiValue else { return false }
      position += 1
      return true
    }

    mutating func expect(_ text: String) throws {
      guard bytes[position...].starts(with: text.utf8) else { throw Mistake(position: position) }
      position += text.utf8.count
    }

    mutating func value() throws -> JSONTree {
      skipSpaces()
      switch next {
      case UInt8(ascii: "n"):
        try expect("null")
        return .null
      case UInt8(ascii: "t"):
        try expect("true")
        return .bool(true)
      case UInt8(ascii: "f"):
        try expect("false")
        return .bool(false)
      case UInt8(ascii: "\""): return .string(try string())
      case UInt8(ascii: "["): return .array(try list("[", "]") { try $0.value() })
      case UInt8(ascii: "{"):
        return .object(
          try list("{", "}") { parser in
            let key = try parser.string()
            guard parser.take(":") else { throw Mistake(position: parser.position) }
            return (key, try parser.value())
          })
      default:
        let start = position
        while "+-.0123456789eE".utf8.contains(next) { position += 1 }
        guard position > start else { throw Mistake(position: position) }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
      }
    }

    mutating func list<Element>(
      _ open: Character, _ close: Character, _ element: (inout Parser) throws -> Element
    ) throws -> [Element] {
      guard take(open) else { throw Mistake(position: position) }
      var elements: [Element] = []
      if take(close) { return elements }
      repeat {
        skipSpaces()
        elements.append(try element(&self))
      } while take(",")
      guard take(close) else { throw Mistake(position: position) }
      return elements
    }

    mutating func string() throws -> String {
      guard take("\"") else { throw Mistake(position: position) }
      var text: [UInt8] = []
      while next != UInt8(ascii: "\"") {
        guard position < bytes.count else { throw Mistake(position: position) }
        guard next == UInt8(ascii: "\\") else {
          text.append(next)
          position += 1
          continue
        }
        position += 2
        switch bytes[position - 1] {
        case UInt8(ascii: "u"):
          let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
          guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
            throw Mistake(position: position)
          }
          position += 4
          text += Array(String(Character(scalar)).utf8)
        case let escaped: text.append(escaped)
        }
      }
      position += 1
      return String(decoding: text, as: UTF8.self)
    }
  }
}
