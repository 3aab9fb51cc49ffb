/// A comparison of texts, byte by byte. Both are already folded if case is ignored.
package enum TextSearch {
  package typealias Bytes = UnsafeBufferPointer<UInt8>

  /// Whether two texts are the same.
  package static func isEqual(_ text: Bytes, _ other: Bytes) -> Bool {
    text.count == other.count && text.elementsEqual(other)
  }

  /// Whether a text contains another one. No text contains the empty text.
  package static func contains(_ text: Bytes, _ part: Bytes) -> Bool {
    guard let first = part.first, part.count <= text.count else { return false }
    let last = text.count - part.count
    var index = 0
    while index <= last {
      if text[index] == first, matches(text, part, at: index) { return true }
      index += 1
    }
    return false
  }

  private static func matches(
    _ text: Bytes, _ part: Bytes, at index: Int
  ) -> Bool {
    var offset = 1
    while offset < part.count {
      if text[index + offset] != part[offset] { return false }
      offset += 1
    }
    return true
  }

  /// Whether a text begins with another one. No text begins with the empty text.
  package static func begins(_ text: Bytes, _ part: Bytes) -> Bool {
    !part.isEmpty && text.starts(with: part)
  }

  /// Whether a text ends with another one. No text ends with the empty text.
  package static func ends(_ text: Bytes, _ part: Bytes) -> Bool {
    !part.isEmpty && text.count >= part.count && text.suffix(part.count).elementsEqual(part)
  }

  /// Whether a whole text matches a pattern: `?` is one scalar, `*` any number, and there are no
  /// escapes.
  ///
  /// Backtracks only to the last `*`, which needs no recursion.
  package static func isLike(_ text: Bytes, _ pattern: Bytes) -> Bool {
    var (index, place) = (0, 0)
    var star: (place: Int, index: Int)?
    while index < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, index)
        place += 1
      } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") {
        index = next(text, index)
        place += 1
      } else if place < pattern.count, pattern[place] == text[index] {
        index += 1
        place += 1
      } else if let last = star {
        // The star consumes one more scalar.
        let taken = next(text, last.index)
        star = (last.place, taken)
        (index, place) = (taken, last.place + 1)
      } else {
        return false
      }
    }
    while place < pattern.count, pattern[place] == UInt8(ascii: "*") { place += 1 }
    return place == pattern.count
  }

  /// Returns the index of the next scalar.
  private static func next(_ text: Bytes, _ index: Int) -> Int {
    var index = index + 1
    while index < text.count, text[index] & 0xC0 == 0x80 { index += 1 }
    return index
  }
}
