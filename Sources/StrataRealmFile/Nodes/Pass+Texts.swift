/// Texts should be UTF-8, which Realm doesn't check.
extension Pass {
  /// How many texts had bytes that are no UTF-8.
  var repairedTexts: Int { account.repairedTexts }

  /// A text. Bytes that are no UTF-8 become U+FFFD, and the text is counted.
  func string(_ bytes: UnsafeRawBufferPointer) -> String {
    let text = bytes.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
    // What is repaired has U+FFFD, which isn't ASCII; then the bytes are looked at a second time.
    if text.utf8.count != bytes.count || !bytes.isASCII && !bytes.isUTF8 {
      account.repairedTexts += 1
    }
    return text
  }

  /// A text as UTF-8: its own bytes, or those of ``string(_:)``, which are valid until the next
  /// ones are read.
  func utf8(_ bytes: UnsafeRawBufferPointer) throws(RealmFileError) -> UnsafeRawBufferPointer {
    guard !bytes.isASCII else { return bytes }
    let repaired = repairedTexts
    var text = string(bytes)
    guard repairedTexts > repaired else { return bytes }
    guard let copy = text.withUTF8({ Region(copying: UnsafeRawBufferPointer($0)) }) else {
      throw .limitExceeded(limits, fileSize: self.bytes.count, at: nil)
    }
    joinedValue = copy
    return copy.bytes
  }
}

extension UnsafeRawBufferPointer {
  /// Whether no byte has its first bit set.
  fileprivate var isASCII: Bool {
    var bits: UInt64 = 0
    var index = 0
    while index + 8 <= count {
      bits |= loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < count {
      bits |= UInt64(self[index])
      index += 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  fileprivate var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }
}
