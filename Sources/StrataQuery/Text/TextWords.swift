/// The words of a full-text search: `swift -java comp*`.
///
/// Each word must occur; a word after `-` must not occur. A word before `*` is the beginning of a
/// word.
package struct TextWords: Sendable, Hashable {
  package struct Word: Sendable, Hashable {
    package let text: String
    /// Whether it is the beginning of a word.
    package let isPrefix: Bool
  }

  /// The words that must occur; at least one.
  package private(set) var wanted: [Word] = []
  /// The words that must not occur.
  package private(set) var excluded: [Word] = []

  /// FTS5 limits the length of expressions.
  private static let maxCount = 200

  /// - Throws: ``PredicateProblem`` for invalid words, and if no word must occur.
  package init(_ text: String) throws(PredicateProblem) {
    for part in text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace) {
      var rest = part
      let isExcluded = rest.first == "-"
      if isExcluded { rest = rest.dropFirst() }
      let isPrefix = rest.last == "*"
      if isPrefix { rest = rest.dropLast() }
      guard rest.first?.isOfWord == true, rest.allSatisfy({ $0.isOfWord || $0.isMark }) else {
        throw .noWord(String(part))
      }
      let word = Word(text: String(rest), isPrefix: isPrefix)
      if isExcluded { excluded.append(word) } else { wanted.append(word) }
    }
    guard !wanted.isEmpty else { throw excluded.isEmpty ? .noWords : .onlyExcludedWords }
    let count = wanted.count + excluded.count
    guard count <= Self.maxCount else { throw .tooManyWords(count, limit: Self.maxCount) }
  }

  /// The words in the language of FTS5. Each is quoted, so that it can't be mistaken for an
  /// operator.
  package var expression: String {
    func list(_ words: [Word], _ separator: String) -> String {
      "(" + words.map { "\"\($0.text)\"" + ($0.isPrefix ? " *" : "") }.joined(separator: separator)
        + ")"
    }
    let all = list(wanted, " AND ")
    return excluded.isEmpty ? all : "\(all) NOT \(list(excluded, " OR "))"
  }

  /// Whether a text contains the required words, and no excluded one.
  ///
  /// A word of a text is as long as possible, and consists of letters and numbers.
  /// - Parameter fold: Folds texts, so that differences in case and accents are ignored.
  package func match(_ text: String, fold: (String) -> String) -> Bool {
    let words = fold(text).unicodeScalars.split { !$0.isOfWord && !$0.isMark }.map(String.init)
    func occurs(_ word: Word) -> Bool {
      let wanted = fold(word.text).utf8
      return words.contains {
        word.isPrefix ? $0.utf8.starts(with: wanted) : $0.utf8.elementsEqual(wanted)
      }
    }
    return wanted.allSatisfy(occurs) && !excluded.contains(where: occurs)
  }
}

extension Unicode.Scalar {
  /// Whether it is a word character, for FTS5 as well: a letter, a number, or a private-use
  /// character.
  fileprivate var isOfWord: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  /// Whether it is a mark on the preceding letter.
  fileprivate var isMark: Bool { properties.generalCategory == .nonspacingMark }
}

extension PredicateProblem {
  fileprivate static func noWord(_ text: String) -> PredicateProblem {
    let rest =
      "is no word of a full-text search: a word has letters and numbers only, perhaps with '-' before it "
      + "or '*' behind it. Leave out other signs, or put spaces in their place."
    return PredicateProblem("'\(text)' \(rest)", logged: "A part of the text \(rest)")
  }

  fileprivate static let noWords = PredicateProblem(
    "A full-text search needs a word. The text has none.")

  fileprivate static let onlyExcludedWords = PredicateProblem(
    "A full-text search needs a word that must occur. All words of the text are excluded with '-': "
      + "add one without, or use 'NOT' before the condition.")

  fileprivate static func tooManyWords(_ count: Int, limit: Int) -> PredicateProblem {
    PredicateProblem(
      "A full-text search can have \(limit) words. The text has \(count): join several searches with "
        + "'AND'.")
  }
}

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
