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
      } else if let encoded = Self.scalar(at: index, in: bytes) {
        length = encoded.count
        place = alphabets.place(of: UTF8.decode(encoded))
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

  /// Returns the bytes of the character that begins at an index; nil for invalid bytes.
  private static func scalar(at index: Int, in bytes: [UInt8]) -> UTF8.EncodedScalar? {
    var rest = bytes[index...].makeIterator()
    var parser = UTF8.ForwardParser()
    return if case .valid(let encoded) = parser.parseScalar(from: &rest) { encoded } else { nil }
  }
}
