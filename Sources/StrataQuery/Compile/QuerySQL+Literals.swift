import StrataSchema

extension QuerySQL {
  /// A statement of this query with its parameters written out, for people and for other programs.
  package func literal(_ statement: String) -> String {
    var result: [UInt8] = []
    var bytes = statement.utf8[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        // Names and texts are copied up to their end: `?1` may be a part of them.
        result.append(byte)
        while let next = bytes.popFirst() {
          result.append(next)
          if next == byte { break }
        }
      case UInt8(ascii: "?"):
        let digits = bytes.prefix { (0x30...0x39).contains($0) }
        bytes = bytes.dropFirst(digits.count)
        let number = Int(String(decoding: digits, as: UTF8.self)) ?? 0
        let isKnown = parameters.indices.contains(number - 1)
        result += (isKnown ? parameters[number - 1].sqlLiteral : "NULL").utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
