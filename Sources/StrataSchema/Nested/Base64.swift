/// The Base64 encoding of bytes, with padding.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      var group: UInt32 = 0
      for index in 0..<3 {
        group = group << 8 | (index < part.count ? UInt32(part[start + index]) : 0)
      }
      for index in 0..<4 {
        let sextet = Int(group >> (18 - 6 * UInt32(index)) & 63)
        text.append(index <= part.count ? alphabet[sextet] : padding)
      }
    }
    return text
  }

  /// Returns the bytes of a text; nil for invalid Base64.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    var group: UInt32 = 0
    var count = 0
    var padded = 0
    for byte in text {
      if byte == padding {
        padded += 1
        group <<= 6
      } else {
        guard padded == 0, let value = value(of: byte) else { return nil }
        group = group << 6 | value
      }
      count += 1
      guard count % 4 == 0 else { continue }
      guard padded <= 2 else { return nil }
      for index in 0..<(3 - padded) {
        bytes.append(UInt8(truncatingIfNeeded: group >> (16 - 8 * UInt32(index))))
      }
      group = 0
    }
    return bytes
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
