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
  private static let most = 200

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
    guard count <= Self.most else { throw .tooManyWords(count, most: Self.most) }
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

  fileprivate static func tooManyWords(_ count: Int, most: Int) -> PredicateProblem {
    PredicateProblem(
      "A full-text search can have \(most) words. The text has \(count): join several searches with "
        + "'AND'.")
  }
}
