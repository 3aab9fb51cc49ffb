extension TwinValues {
  /// A character of a text that is replaced.
  private struct Letter {
    /// The position of its first byte.
    var offset: Int
    var alphabet: Int
  }

  /// Returns a text of the same length, with a letter for each letter and a digit for each digit.
  ///
  /// Spaces and punctuation stay, as do bytes that aren't UTF-8. In a text without letters and
  /// digits, punctuation is replaced. The text of a UUID or an `ObjectId` becomes another one.
  func text(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > Self.maxShortLength else { return bytes }
    if let id = id(inText: bytes) { return id }
    return text(bytes, hasLetters: true) ?? text(bytes, hasLetters: false) ?? bytes
  }

  /// Returns nil if no character is replaced.
  private func text(_ bytes: [UInt8], hasLetters: Bool) -> [UInt8]? {
    var letters: [Letter] = []
    var digits: [UInt32] = []
    var bits = 0.0
    var skeleton: [UInt8] = []
    skeleton.reserveCapacity(bytes.count + 8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let length: Int
      let place: (alphabet: Int, digit: UInt32)?
      if byte < 0x80 {
        length = 1
        place = alphabets.place(ofASCII: byte, hasLetters: hasLetters)
      } else if let (scalar, count) = UTF8Reader.scalar(at: index, in: bytes) {
        length = count
        place = alphabets.place(of: scalar)
      } else {
        length = 1
        place = nil
      }
      if let place {
        letters.append(Letter(offset: index, alphabet: place.alphabet))
        digits.append(place.digit)
        bits += alphabets.all[place.alphabet].bits
        skeleton += alphabets.all[place.alphabet].mark
      } else {
        skeleton += bytes[index..<index + length]
      }
      index += length
    }
    guard !letters.isEmpty else { return nil }
    if bits >= Self.hashedBits {
      if isCollecting { return bytes }
      var numbers = numbers(.text, bytes)
      for (index, letter) in letters.enumerated() {
        digits[index] = numbers.next(below: UInt32(alphabets.all[letter.alphabet].scalars.count))
      }
    } else {
      let radices = letters.map { UInt32(alphabets.all[$0.alphabet].scalars.count) }
      replace(&digits, radices, pattern: pattern(.text, skeleton))
    }
    var result = bytes
    for (letter, digit) in zip(letters, digits) {
      let scalar = alphabets.all[letter.alphabet].scalars[Int(digit)]
      if scalar < 0x80 {
        result[letter.offset] = UInt8(scalar)
      } else if let scalar = Unicode.Scalar(scalar) {
        for (place, byte) in scalar.utf8.enumerated() { result[letter.offset + place] = byte }
      }
    }
    return result
  }
}

/// A reader of UTF-8, which may have errors.
enum UTF8Reader {
  /// Returns the character that begins with the byte at an index, and its length; nil if there is
  /// none.
  static func scalar(at index: Int, in bytes: [UInt8]) -> (Unicode.Scalar, length: Int)? {
    let first = bytes[index]
    let length: Int
    switch first {
    case 0..<0x80: return (Unicode.Scalar(first), 1)
    case 0xC2..<0xE0: length = 2
    case 0xE0..<0xF0: length = 3
    case 0xF0..<0xF5: length = 4
    default: return nil
    }
    guard index + length <= bytes.count else { return nil }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for byte in bytes[index + 1..<index + length] {
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    // An overlong form is an error, and so is a surrogate of UTF-16.
    guard let scalar = Unicode.Scalar(value), scalar.utf8.count == length else { return nil }
    return (scalar, length)
  }
}
