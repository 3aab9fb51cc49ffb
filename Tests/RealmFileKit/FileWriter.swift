/// Writes arrays as Realm does, and whatever a test wants instead.
package struct FileWriter {
  /// An element of an array of refs.
  package enum Element {
    case none
    case ref(Int)
    case number(UInt64)

    package var bits: Int64 {
      switch self {
      case .none: 0
      case .ref(let ref): Int64(ref)
      case .number(let number): Int64(bitPattern: number << 1 | 1)
      }
    }
  }

  package struct Flags: OptionSet {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let inner = Flags(rawValue: 0x80)
    package static let refs = Flags(rawValue: 0x40)
    package static let context = Flags(rawValue: 0x20)
    package static let multiply = Flags(rawValue: 0x08)
    package static let bytes = Flags(rawValue: 0x10)
  }

  package init() {}

  /// The file so far, beginning with a header that ``finish(top:format:)`` fills in.
  package var bytes = [UInt8](repeating: 0, count: 24)

  /// - Parameter widthCode: 0 for a width of 0, and 1 to 7 for 1 to 64.
  package mutating func node(
    _ flags: Flags, widthCode: UInt8, count: Int, _ payload: some Collection<UInt8>
  ) -> Int {
    let ref = bytes.count
    bytes += [0x41, 0x41, 0x41, 0x41, flags.rawValue | widthCode]
    bytes += [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
    bytes += payload
    while bytes.count % 8 != 0 { bytes.append(0) }
    return ref
  }

  /// Integers, in the width that the largest one needs: 8, 16, 32 or 64 bits.
  package mutating func integers(_ values: [Int64], _ flags: Flags = []) -> Int {
    let widthCode: UInt8 =
      if values.allSatisfy({ Int8(exactly: $0) != nil }) {
        4
      } else if values.allSatisfy({ Int16(exactly: $0) != nil }) {
        5
      } else if values.allSatisfy({ Int32(exactly: $0) != nil }) {
        6
      } else {
        7
      }
    var payload: [UInt8] = []
    payload.reserveCapacity(values.count * 8)
    for value in values {
      for byte in 0..<(1 << (Int(widthCode) - 4)) {
        payload.append(UInt8(truncatingIfNeeded: value >> (8 * Int64(byte))))
      }
    }
    return node(flags, widthCode: widthCode, count: values.count, payload)
  }

  package mutating func refs(_ elements: [Element], _ flags: Flags = []) -> Int {
    integers(elements.map(\.bits), flags.union(.refs))
  }

  /// Texts of at most 63 bytes.
  package mutating func texts(_ texts: [String?]) -> Int {
    let longest = texts.map { $0?.utf8.count ?? 0 }.max() ?? 0
    var widthCode: UInt8 = 1
    while 1 << (Int(widthCode) - 1) <= longest { widthCode += 1 }
    let width = 1 << (Int(widthCode) - 1)
    var payload: [UInt8] = []
    payload.reserveCapacity(texts.count * width)
    for text in texts {
      guard let text else {
        payload += [UInt8](repeating: UInt8(width), count: width)
        continue
      }
      payload += text.utf8
      payload += [UInt8](repeating: 0, count: width - 1 - text.utf8.count)
      payload.append(UInt8(width - 1 - text.utf8.count))
    }
    return node(.multiply, widthCode: widthCode, count: texts.count, payload)
  }

  /// One text, as long texts have it.
  package mutating func blob(_ content: some Collection<UInt8>) -> Int {
    node(.bytes, widthCode: 0, count: content.count, content)
  }

  /// Fills in the header.
  package mutating func finish(top: Int, format: UInt8 = 24) -> [UInt8] {
    for byte in 0..<8 { bytes[byte] = UInt8(truncatingIfNeeded: top >> (8 * byte)) }
    bytes.replaceSubrange(16..<24, with: Array("T-DB".utf8) + [format, format, 0, 0])
    return bytes
  }
}
