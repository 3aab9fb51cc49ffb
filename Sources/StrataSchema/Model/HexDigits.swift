/// The hexadecimal digits of bytes, in lower case.
package func hexDigits(of bytes: some Sequence<UInt8>) -> String {
  var digits: [UInt8] = []
  digits.append(hexDigitsOf: bytes)
  return String(decoding: digits, as: UTF8.self)
}

extension [UInt8] {
  /// Appends the hexadecimal digits of bytes, in lower case.
  package mutating func append(hexDigitsOf bytes: some Sequence<UInt8>) {
    let digit = { (value: UInt8) in
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
    for byte in bytes {
      append(digit(byte >> 4))
      append(digit(byte & 15))
    }
  }
}

/// The hexadecimal digits of a number, in lower case, with leading zeros.
package func hexDigits(of number: some FixedWidthInteger) -> String {
  hexDigits(of: withUnsafeBytes(of: number.bigEndian, Array.init))
}

/// The FNV-1a hash of bytes, which is the same in each process. The hash is no protection.
package func stableHash(of bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}

/// The number of a hexadecimal digit in ASCII; nil for any other byte.
package func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}

/// The bytes of hexadecimal digits in ASCII; nil for anything else.
package func hexBytes(_ digits: some Sequence<UInt8>) -> [UInt8]? {
  let values = digits.map(hexValue)
  guard values.count % 2 == 0 else { return nil }
  var bytes: [UInt8] = []
  for index in stride(from: 0, to: values.count, by: 2) {
    guard let high = values[index], let low = values[index + 1] else { return nil }
    bytes.append(high << 4 | low)
  }
  return bytes
}
