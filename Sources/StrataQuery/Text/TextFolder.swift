/// A folder of texts. Texts that differ only in case, or in accents, have the same folded form.
///
/// `[c]`: each scalar is converted to upper case and then to lower case, so that `ß` is equal to
/// `SS`, and `Σ`, `σ` and `ς` are equal; `ı` stays unchanged. `[d]`: then letters are decomposed,
/// and combining marks are removed. Works on UTF-8, with a cache of scalars.
package final class TextFolder {
  private struct Entry {
    var scalar: UInt32 = .max
    var count: UInt8 = 0
    /// Up to eight bytes, the first one lowest.
    var bytes: UInt64 = 0
  }

  private let options: QueryOptions
  /// Returns the canonical decomposition of a scalar in Unicode.
  private let decompose: (Unicode.Scalar) -> String
  private var entries: [Entry]
  private var buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)

  package init(_ options: QueryOptions, decompose: @escaping (Unicode.Scalar) -> String) {
    self.options = options
    self.decompose = decompose
    entries = Array(repeating: Entry(), count: 1024)
  }

  deinit { buffer.deallocate() }

  /// Returns the folded form of a text in UTF-8, valid until the folder is used again.
  package func fold(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    makeRoom(for: text.count)
    let ignoresCase = options.contains(.caseInsensitive)
    var count = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        let isUpper = ignoresCase && byte >= 0x41 && byte <= 0x5A
        buffer[count] = isUpper ? byte | 0x20 : byte
        count += 1
        index += 1
      } else {
        let (scalar, length) = Self.decode(text, at: index)
        index += length
        // Space for the rest, if it is ASCII; other letters may need more.
        if let scalar {
          append(scalar, at: &count, beforeMore: text.count - index)
        } else {
          // Bytes that are not UTF-8 stay as they are.
          buffer[count] = byte
          count += 1
        }
      }
    }
    return UnsafeBufferPointer(start: buffer.baseAddress, count: count)
  }

  package func fold(_ text: [UInt8]) -> [UInt8] {
    text.withUnsafeBufferPointer { Array(fold($0)) }
  }

  private func makeRoom(for count: Int) {
    guard count > buffer.count else { return }
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(count, 2 * buffer.count))
    _ = larger.update(fromContentsOf: buffer)
    buffer.deallocate()
    buffer = larger
  }

  private func append(_ scalar: Unicode.Scalar, at count: inout Int, beforeMore rest: Int) {
    let index = Int(scalar.value & 1023)
    if entries[index].scalar != scalar.value {
      let bytes = Array(folded(scalar).utf8)
      guard bytes.count <= 8 else {
        makeRoom(for: count + bytes.count + rest)
        for byte in bytes {
          buffer[count] = byte
          count += 1
        }
        return
      }
      var packed: UInt64 = 0
      for byte in bytes.reversed() { packed = packed << 8 | UInt64(byte) }
      entries[index] = Entry(
        scalar: scalar.value, count: UInt8(bytes.count), bytes: packed)
    }
    makeRoom(for: count + Int(entries[index].count) + rest)
    var packed = entries[index].bytes
    for _ in 0..<entries[index].count {
      buffer[count] = UInt8(truncatingIfNeeded: packed)
      count += 1
      packed >>= 8
    }
  }

  private func folded(_ scalar: Unicode.Scalar) -> String {
    var result = ""
    // The dotless small letter must not become the `i` that its upper case suggests.
    if options.contains(.caseInsensitive), scalar != "\u{131}" {
      for upper in scalar.properties.uppercaseMapping.unicodeScalars {
        // The small sigma has one form in the middle of a word, and another one at its end.
        result += upper.properties.lowercaseMapping
      }
    } else {
      result.unicodeScalars.append(scalar)
    }
    guard options.contains(.diacriticInsensitive) else { return result }
    var stripped = ""
    for scalar in result.unicodeScalars {
      for part in decompose(scalar).unicodeScalars where !part.isCombiningMark {
        stripped.unicodeScalars.append(part)
      }
    }
    return stripped
  }

  /// Returns the scalar at a position, and its number of bytes; nil for a byte that begins no
  /// scalar.
  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (Unicode.Scalar?, Int) {
    let first = text[index]
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    guard length > 1, index + length <= text.count else { return (nil, 1) }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = text[index + offset]
      guard byte & 0xC0 == 0x80 else { return (nil, 1) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    guard let scalar = Unicode.Scalar(value) else { return (nil, 1) }
    return (scalar, length)
  }
}

extension Unicode.Scalar {
  /// Whether it is a mark on the preceding letter.
  fileprivate var isCombiningMark: Bool {
    properties.generalCategory == .nonspacingMark
      && properties.canonicalCombiningClass != .notReordered
  }
}
