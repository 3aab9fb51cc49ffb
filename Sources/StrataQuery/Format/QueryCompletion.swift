import StrataSchema

/// The possible next words in the text of a condition that a user is typing.
package struct QueryCompletion: Sendable {
  package enum Kind: String, Sendable {
    case property, `operator`, word
  }

  package struct Item: Hashable, Sendable {
    package var text: String
    /// The type of a property, or the effect of an operator.
    package var detail: String
    package var kind: Kind
  }

  /// The end of the text, which an item replaces.
  package let partial: String
  package let items: [Item]
  /// The property whose value is expected, and the typed part of the value; nil elsewhere.
  package let value: (property: QueryProperty, typed: String)?

  /// - Parameters:
  ///   - text: The text before the cursor.
  ///   - queryClass: The class of the query.
  package init(of text: String, of queryClass: QueryClass, _ schema: QuerySchema) {
    let start = CompletionStart(text)
    // An open quotation mark precedes all the text that was typed since.
    let whole = CompletionContext(before: text)
    let context = whole.openText == nil ? CompletionContext(before: start.head) : whole
    let lookup = CompletionLookup(queryClass: queryClass, schema: schema)
    let property = context.path.flatMap { lookup.property($0) }
    if let quote = context.openText {
      partial = quote
      items = []
      value = property.map { ($0, String(quote.dropFirst())) }
      return
    }
    partial = start.partial
    let isValue = context.kind == .value && start.path.isEmpty
    value = isValue ? property.map { ($0, start.partial) } : nil
    let all: [Item] =
      switch context.kind {
      case .condition:
        lookup.properties(behind: start.path) + (start.path.isEmpty ? Self.conditionWords : [])
      case .value:
        (isValue ? Self.valueWords(property) : []) + lookup.properties(behind: start.path)
      case .operator: Self.operators(property)
      case .connective: Self.connectives
      }
    let typed = start.partial.lowercased()
    items = all.filter { $0.text.lowercased().hasPrefix(typed) && $0.text != start.partial }
  }

  // MARK: Words of the language

  private static func words(_ words: [(String, String)], _ kind: Kind = .word) -> [Item] {
    words.map { Item(text: $0.0, detail: $0.1, kind: kind) }
  }

  private static let conditionWords = words([
    ("NOT", "the opposite"), ("ANY", "at least one element"), ("ALL", "each element"),
    ("NONE", "no element"), ("SUBQUERY", "elements with several conditions"),
  ])

  private static let connectives = words([("AND", "both"), ("OR", "one of them")])

  private static func valueWords(_ property: QueryProperty?) -> [Item] {
    guard let property else { return words([("nil", "no value")]) }
    let bool = property.type == .bool ? words([("TRUE", "Bool"), ("FALSE", "Bool")]) : []
    return bool + (property.property.isNullable ? words([("nil", "no value")]) : [])
  }

  private static func operators(_ property: QueryProperty?) -> [Item] {
    let equality = [("==", "is equal"), ("!=", "is not equal"), ("IN", "is one of {…}")]
    let order = [
      ("<", "is less"), ("<=", "is less or equal"), (">", "is greater"),
      (">=", "is greater or equal"), ("BETWEEN", "is within {…, …}"),
    ]
    let text = [
      ("CONTAINS", "has the text in it"), ("BEGINSWITH", "begins with the text"),
      ("ENDSWITH", "ends with the text"), ("LIKE", "fits a pattern with * and ?"),
    ]
    guard let property else { return words(equality + order + text, .operator) }
    let own: [(String, String)] =
      switch property.type {
      case .int, .float, .double, .date, .decimal128: equality + order
      case .string:
        equality + text + (property.textTable == nil ? [] : [("TEXT", "has the words")])
      case .data: equality + text.prefix(3)
      case .any: equality + order + text
      case .bool, .object, .UUID, .objectId, .linkingObjects: equality
      }
    return words(own, .operator)
  }
}

/// The word at the cursor, with the path before it.
private struct CompletionStart {
  /// The text before the path.
  let head: String
  /// The names before the word, each followed by a dot.
  let path: [String]
  let partial: String

  init(_ text: String) {
    var rest = text[...]
    partial = Self.takeWord(&rest)
    var path: [String] = []
    while rest.last == "." {
      rest.removeLast()
      path.insert(Self.takeWord(&rest), at: 0)
    }
    self.path = path
    head = String(rest)
  }

  private static func takeWord(_ text: inout Substring) -> String {
    let length = text.reversed().prefix { $0.isLetter || $0.isNumber || "_@#$".contains($0) }.count
    defer { text.removeLast(length) }
    return String(text.suffix(length))
  }
}

/// The context at the end of a text: the kind of word that is expected.
private struct CompletionContext {
  enum Kind { case condition, `operator`, value, connective }

  private(set) var kind = Kind.condition
  /// The compared path.
  private(set) var path: [String]?
  /// A text with an open quotation mark.
  private(set) var openText: String?

  init(before text: String) {
    var lexer = FormatLexer(text)
    var tokens: [FormatToken] = []
    do throws(PredicateProblem) {
      while case let token = try lexer.next(), token.kind != .end { tokens.append(token) }
    } catch {
      let rest = lexer.string((tokens.last?.end ?? 0)..<lexer.bytes.count)
        .drop { $0 == " " }
      if let mark = rest.first, mark == "'" || mark == "\"" { openText = String(rest) }
    }
    var index = 0
    while index < tokens.count { take(tokens, &index, lexer) }
    if openText != nil, kind != .value { path = nil }
  }

  private mutating func take(_ tokens: [FormatToken], _ index: inout Int, _ lexer: FormatLexer) {
    let token = tokens[index]
    index += 1
    switch kind {
    case .condition:
      guard !token.isNot, !token.is(.open), !token.is(.any), !token.is(.some), !token.is(.none),
        !token.is(.all)
      else { return }
      path = [lexer.string(token.start..<token.end)]
      while index + 1 < tokens.count, tokens[index].is(.dot) {
        path?.append(lexer.string(tokens[index + 1].start..<tokens[index + 1].end))
        index += 2
      }
      kind = .operator
    case .operator:
      if token.comparison != nil { kind = .value }
    case .value:
      // `CONTAINS[c] 'a'`, `IN {1, 2}`, `BETWEEN {1, 2}`.
      if token.is(.openBracket) {
        Self.skip(to: .closeBracket, tokens, &index)
      } else if token.is(.openList) {
        Self.skip(to: .closeList, tokens, &index)
        kind = .connective
      } else {
        while index + 1 < tokens.count, tokens[index].is(.dot) { index += 2 }
        kind = .connective
      }
    case .connective:
      if token.isAnd || token.isOr {
        kind = .condition
        path = nil
      }
    }
  }

  private static func skip(to sign: FormatSign, _ tokens: [FormatToken], _ index: inout Int) {
    while index < tokens.count {
      defer { index += 1 }
      if tokens[index].is(sign) { return }
    }
  }
}

/// The lookup of properties at the end of paths.
private struct CompletionLookup {
  let queryClass: QueryClass
  let schema: QuerySchema

  /// Returns the property at the end of a path; nil for an invalid path.
  func property(_ path: [String]) -> QueryProperty? {
    guard let last = path.last, let owner = owner(path.dropLast()) else { return nil }
    return owner[last]
  }

  private func owner(_ path: some Sequence<String>) -> QueryClass? {
    var current = queryClass
    for name in path {
      guard let target = current[name]?.property.objectClassName, let next = schema[target]
      else { return nil }
      current = next
    }
    return current
  }

  /// Returns the items that may follow the names and dots of a path.
  func properties(behind path: [String]) -> [QueryCompletion.Item] {
    let last = property(path)
    var items: [QueryCompletion.Item] = []
    if let owner = owner(path) {
      items += owner.propertyNames.compactMap { name in
        owner[name].map {
          QueryCompletion.Item(text: name, detail: $0.property.typeName, kind: .property)
        }
      }
    }
    guard let last, last.property.collection != nil || last.property.isComputed else {
      return items
    }
    let counts = ["@count"] + (last.type.isNumeric ? ["@min", "@max", "@sum", "@avg"] : [])
    let keys = last.property.isMap ? ["@allKeys", "@allValues"] : []
    return items
      + (counts + keys).map { .init(text: $0, detail: "of the elements", kind: .property) }
  }
}
