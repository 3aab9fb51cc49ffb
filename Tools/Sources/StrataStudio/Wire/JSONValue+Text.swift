extension JSONValue {
  /// The value without spaces, in UTF-8. The same value gives the same bytes.
  ///
  /// Whole numbers beyond ±2⁵³ are texts: programs that read all numbers as `Double`, as JavaScript
  /// does, would change them. So are infinite numbers, and what is no number: JSON has none.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// The largest whole number that a `Double` tells apart from its neighbours.
  private static let largestExact: Int64 = 1 << 53

  /// Appends the value to a text that is made piece by piece.
  package func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let isTrue): bytes.append(contentsOf: (isTrue ? "true" : "false").utf8)
    case .int(let number):
      let isExact = -Self.largestExact...Self.largestExact ~= number
      bytes.append(contentsOf: (isExact ? "\(number)" : "\"\(number)\"").utf8)
    case .number(let number): Self.append(number, to: &bytes)
    case .text(let text): Self.append(text, to: &bytes)
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
        Self.append(member.name, to: &bytes)
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
      // The names that JavaScript's 'Number' reads.
      let name = number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
      bytes.append(contentsOf: "\"\(name)\"".utf8)
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices {
        let byte = utf8[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        bytes.append(contentsOf: utf8[start..<index])
        start = index + 1
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        case 0..<0x20:
          bytes.append(contentsOf: "u00".utf8)
          bytes.append(hexDigit(byte >> 4))
          bytes.append(hexDigit(byte & 15))
        default: bytes.append(byte)
        }
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONValue: CustomStringConvertible {
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// The digit of a number below 16, in ASCII.
func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

/// The number of a hexadecimal digit in ASCII; nil for any other byte.
func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}
