/// Comments that a reader can rely on.
struct CommentRule {
  var widest: Int

  /// Words with which the comment of a type doesn't begin: it begins with a noun that says what the
  /// type is.
  static let questions: Set<Substring> = [
    "What", "Where", "How", "Whether", "Whose", "Which", "When", "Who", "Why",
  ]

  func violations(in tree: SourceTree) -> [String] {
    tree.files.flatMap { file in
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
      var violations: [String] = []
      var start: Int?
      for (index, line) in lines.enumerated() {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("//") else {
          if let first = start, file.path.hasSuffix(".swift"), file.isSource,
            let name = SwiftCode.declaredType(text),
            Self.questions.contains(firstWord(lines[first]))
          {
            violations.append(
              file.violation("the comment of '\(name)' begins with no noun", line: first + 1))
          }
          if !text.hasPrefix("@") { start = nil }
          continue
        }
        if start == nil { start = index }
        // A table has no other form.
        if line.count > widest, !text.hasPrefix("/// |") {
          violations.append(
            file.violation("the comment is wider than \(widest) columns", line: index + 1))
        }
      }
      return violations
    }
  }

  private func firstWord(_ line: Substring) -> Substring {
    line.drop { $0 == " " || $0 == "/" }.prefix { $0 != " " }
  }
}

/// Habits that make a reader solve a sentence: the comments of the sources have none of them.
struct HabitRule {
  /// Words with which no comment begins: it begins with a verb, or with the noun itself.
  static let beginnings: Set<Substring> = [
    "What", "That", "Those", "Who", "Whose", "Something", "Somebody", "Nobody", "Has", "Have",
    "Lets", "So",
  ]
  /// Words in place of a noun, a number or a term of the trade.
  static let phrases = [
    "that of", "those of", "those that", "those who", "the one of", "so many", "so much", "anew",
    "nobody", "somebody", "is none", "are none",
  ]
  /// Beginnings of names that have a plain form: `maxRows`, `recordRead`, `notifyObservers`.
  static let names = ["func note", "func tell", "let most", "var most"]

  func violations(in tree: SourceTree) -> [String] {
    tree.files.flatMap { file -> [String] in
      guard file.isSource, file.path.hasSuffix(".swift") else { return [] }
      let phrases = Self.phrases.filter { file.hasAny(of: [$0]) }
      let names = Self.names.filter { file.hasAny(of: [$0]) }
      var violations: [String] = []
      var isInComment = false
      for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("//") else {
          isInComment = false
          if let name = names.first(where: { hasName(text, after: $0) }) {
            violations.append(file.violation("a name begins with '\(name)'", line: index + 1))
          }
          continue
        }
        let words = text.drop { $0 == "/" || $0 == " " }
        if !isInComment, let first = words.split(separator: " ").first,
          Self.beginnings.contains(first)
        {
          violations.append(file.violation("the comment begins with '\(first)'", line: index + 1))
        }
        isInComment = true
        // These two have forms of their own.
        guard !phrases.isEmpty, !words.hasPrefix("guarded by: "), !words.hasPrefix("MARK: ")
        else { continue }
        let spaced = " \(String(words.map { $0.isLetter ? $0 : " " })) "
        for phrase in phrases where spaced.contains(" \(phrase) ") {
          violations.append(file.violation("the comment has '\(phrase)'", line: index + 1))
        }
      }
      return violations
    }
  }

  /// Whether a line declares a name that begins with some text: the word itself, or with more.
  private func hasName(_ line: Substring, after text: String) -> Bool {
    guard let range = line.firstRange(of: text) else { return false }
    guard let next = line[range.upperBound...].first else { return false }
    return next.isUppercase || next == "("
  }
}

/// The rule that unchecked shared state must name its guard.
struct SharingRule {
  /// How many types at the most.
  var most: Int

  func violations(in tree: SourceTree) -> [String] {
    var count = 0
    var violations: [String] = []
    for file in tree.files where file.isSource {
      let unchecked = file.code.text.count(of: "@unchecked Sendable")
      count += unchecked
      if unchecked > file.text.count(of: "// guarded by: ") {
        violations.append(
          file.violation("'@unchecked Sendable' needs '// guarded by: …' beside its members"))
      }
    }
    if count > most {
      violations.append(
        "there are \(count) types that are '@unchecked Sendable', more than \(most)")
    }
    return violations
  }
}

/// Words that mean one thing, with all types that are named by them.
struct WordRule {
  /// The types by the word.
  var types: [String: Set<String>] = [:]

  /// - Parameter table: The rows of a table in Markdown: a word, its meaning, and the types that
  ///   have the word in their names. A row without types says nothing of them.
  init(table: String) {
    for line in table.split(separator: "\n") where line.hasPrefix("| *") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 5, let word = cells[1].split(separator: "*").dropFirst().first else {
        continue
      }
      let names = cells[3].split(separator: "`").map(String.init).filter {
        $0.allSatisfy { $0.isLetter || $0 == "_" }
      }
      if !names.isEmpty { types[String(word)] = Set(names) }
    }
  }

  func violations(in tree: SourceTree) -> [String] {
    guard !types.isEmpty else { return ["the table of words names no type"] }
    var unused = types
    var violations: [String] = []
    for file in tree.files where file.isSource {
      for name in file.code.declarations.all {
        for (word, known) in types where Self.words(of: name).contains(word) {
          unused[word]?.remove(name)
          if !known.contains(name) {
            violations.append(
              file.violation(
                "'\(name)' is named by '\(word)': if it means the same as in the table of words, "
                  + "add it there"))
          }
        }
      }
    }
    return violations.sorted()
      + unused.sorted { $0.key < $1.key }.flatMap { word, names in
        names.sorted().map { "the table of words names '\($0)' for '\(word)': there is none" }
      }
  }

  /// The words of a name, in the singular: `StoreRegistry` has `store` and `registry`.
  static func words(of name: String) -> Set<String> {
    var words: [String] = []
    for character in name where character != "_" {
      if character.isUppercase || words.isEmpty { words.append("") }
      words[words.count - 1] += character.lowercased()
    }
    return Set(words.flatMap { $0.hasSuffix("s") ? [$0, String($0.dropLast())] : [$0] })
  }
}

extension SwiftCode {
  /// The type that a line declares, such as `public final class Store {`; nil for none.
  static func declaredType(_ line: Substring) -> Substring? {
    let modifiers: Set<Substring> = [
      "public", "package", "internal", "fileprivate", "private", "open", "final", "indirect",
    ]
    let words = line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
      .drop { modifiers.contains($0) }.prefix(2).map { $0 }
    guard words.count == 2, ["class", "struct", "enum", "protocol", "actor"].contains(words[0]),
      !["func", "var", "let", "subscript"].contains(words[1])
    else { return nil }
    return words[1]
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
