/// A query as a user types it in a terminal: `Person where age > 3 sort -age, name limit 10 show
/// name, dog.name`.
///
/// The class comes first; the clauses follow in this order, each at most once. A condition ends at
/// `sort`, `limit` or `show` outside of quotation marks and parentheses. A property with such a
/// name is written `#sort`.
struct QueryText: Hashable {
  var className: String
  var condition = ""
  /// The column where the condition begins; 1 is the first character.
  var conditionColumn = 1
  /// The sort properties; a `-` in front means descending.
  var sort: [String] = []
  var limit: Int?
  /// The paths of the properties to show; nil for all properties of the class.
  var shown: [String]?

  /// A mistake in the text, and the column where it is.
  struct Mistake: Error, Hashable {
    var message: String
    var column: Int
  }

  /// The clauses, in the order in which they may appear.
  private enum Clause: String, CaseIterable, Comparable {
    case `where`, sort, limit, show

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    static func < (first: Clause, second: Clause) -> Bool { first.order < second.order }
  }

  /// - Throws: ``Mistake`` if the class is missing, the clauses are in another order, or the limit
  ///   isn't a number.
  init(_ text: String) throws(Mistake) {
    let words = Self.words(text)
    guard let first = words.first else {
      throw Mistake(message: "The question is empty. Begin with the name of a class.", column: 1)
    }
    className = Self.unquoted(first.text)
    var next = 1
    var last: Clause?
    while next < words.count {
      let word = words[next]
      guard let clause = Clause(rawValue: word.text.lowercased()) else {
        throw Mistake(
          message:
            "'\(word.text)' is none of 'where', 'sort', 'limit' and 'show'. Quote a name with "
            + "spaces.", column: word.column)
      }
      if let last, clause <= last {
        throw Mistake(
          message:
            "'\(clause.rawValue)' can't follow '\(last.rawValue)'. The order is: where, sort, "
            + "limit, show.", column: word.column)
      }
      last = clause
      var end = next + 1
      while end < words.count, !Self.begins(words[end], after: clause) { end += 1 }
      guard end > next + 1 else {
        throw Mistake(
          message: "Nothing follows '\(word.text)'. Complete it, or leave it out.",
          column: word.column + word.text.count)
      }
      let body = words[next + 1].start..<words[end - 1].end
      try take(clause, String(text[body]), column: words[next + 1].column)
      next = end
    }
  }

  private static func begins(_ word: Word, after clause: Clause) -> Bool {
    guard word.isOutside, let other = Clause(rawValue: word.text.lowercased()) else { return false }
    return other > clause
  }

  private mutating func take(
    _ clause: Clause, _ body: String, column: Int
  ) throws(Mistake) {
    switch clause {
    case .where:
      condition = body
      conditionColumn = column
    case .sort: sort = try Self.list(body, column: column)
    case .show: shown = try Self.list(body, column: column)
    case .limit:
      guard let number = Int(body), number >= 0 else {
        throw Mistake(
          message: "'\(body)' is no number of objects. Give such a number.", column: column)
      }
      limit = number
    }
  }

  private static func list(_ text: String, column: Int) throws(Mistake) -> [String] {
    var names: [String] = []
    for part in text.split(separator: ",") {
      let words = part.split(whereSeparator: \.isWhitespace)
      guard words.count == 1 else {
        throw Mistake(
          message:
            "'\(words.joined(separator: " "))' is no property. Put commas between properties, and the "
            + "clauses in this order: where, sort, limit, show.", column: column)
      }
      // `#sort` is a property that has the name of a clause.
      let isDescending = words[0].hasPrefix("-")
      let name = isDescending ? words[0].dropFirst() : words[0]
      let plain = name.hasPrefix("#") ? name.dropFirst() : name
      names.append((isDescending ? "-" : "") + plain)
    }
    return names
  }

  private static func unquoted(_ text: String) -> String {
    guard text.count > 1, let mark = text.first, "'\"".contains(mark), text.last == mark else {
      return text
    }
    return String(text.dropFirst().dropLast())
  }

  // MARK: Words

  private struct Word {
    var text: String
    var start: String.Index
    var end: String.Index
    var column: Int
    /// Whether no quotation mark and no parenthesis is open before it.
    var isOutside: Bool
  }

  /// Splits a text at spaces. A part in quotation marks is one word.
  private static func words(_ text: String) -> [Word] {
    var words: [Word] = []
    var (depth, mark): (Int, Character?) = (0, nil)
    var start: (index: String.Index, column: Int, isOutside: Bool)?
    func close(at end: String.Index) {
      guard let begun = start else { return }
      words.append(
        Word(
          text: String(text[begun.index..<end]), start: begun.index, end: end,
          column: begun.column, isOutside: begun.isOutside))
      start = nil
    }
    var isEscaped = false
    for (offset, index) in text.indices.enumerated() {
      let character = text[index]
      if mark == nil, character.isWhitespace {
        close(at: index)
        continue
      }
      if start == nil { start = (index, offset + 1, depth == 0 && mark == nil) }
      if isEscaped {
        isEscaped = false
      } else if character == "\\", mark != nil {
        isEscaped = true
      } else if character == mark {
        mark = nil
      } else if mark == nil, "'\"".contains(character) {
        mark = character
      } else if mark == nil, "({[".contains(character) {
        depth += 1
      } else if mark == nil, ")}]".contains(character) {
        depth = max(0, depth - 1)
      }
    }
    close(at: text.endIndex)
    return words
  }
}
