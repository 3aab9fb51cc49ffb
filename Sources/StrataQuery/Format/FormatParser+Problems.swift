extension FormatParser {
  /// A token as messages call it; without the values that a program may have put into the text.
  func name(of token: FormatToken) -> String {
    switch token.kind {
    case .end: "the end"
    case .text: "the text"
    case .number: "the number"
    default: "'\(lexer.string(token.start..<token.end))'"
    }
  }

  /// The problem of a place where a condition or a value should begin.
  func missing(_ what: String) -> PredicateProblem {
    guard let previous else {
      return lexer.problem("A \(what) is missing before \(name(of: token))", at: token.start)
    }
    var repair: String?
    if case .word(let keyword?) = previous.kind, token.comparison != nil, keyword.isReserved {
      let word = lexer.string(previous.start..<previous.end)
      repair = "A property that is called '\(word)' is written '#\(word)'."
    }
    return lexer.problem(
      "A \(what) is missing after \(name(of: previous))", at: token.start, repair: repair)
  }

  /// The problem of a place where an operator should be.
  func missingOperator() -> PredicateProblem {
    if let problem = calculation() ?? queryLanguage() { return problem }
    var repair: String?
    switch previous?.kind {
    case .word, .escapedWord:
      if token.isNot {
        repair = "Write NOT before the whole condition."
      } else if token.kind == .end || token.isAnd || token.isOr || token.is(.close) {
        repair = "A Boolean is compared too, such as isDone == TRUE."
      }
    default: break
    }
    let before = previous.map(name) ?? "the beginning"
    return lexer.problem(
      "An operator is missing after \(before)", at: token.start, repair: repair)
  }

  /// The problem of a token behind a complete condition.
  func unexpected() -> PredicateProblem {
    if let problem = calculation() ?? queryLanguage() { return problem }
    if token.is(.close) { return lexer.problem("')' has no '(' before it", at: token.start) }
    if token.is(.comma) {
      return lexer.problem(
        "',' is not expected here", at: token.start, repair: "A list is written {1, 2}.")
    }
    return lexer.problem("AND or OR is missing before \(name(of: token))", at: token.start)
  }

  /// The problem of a token that would compute something.
  private func calculation() -> PredicateProblem? {
    switch token.kind {
    case .sign(let sign) where sign.isCalculation:
      return .unsupportedFunction(sign.rawValue, column: lexer.column(of: token.start))
    case .number where lexer.bytes[token.start] == UInt8(ascii: "-"):
      return .unsupportedFunction("-", column: lexer.column(of: token.start))
    default: return nil
    }
  }

  /// The problem of a word that Realm's query language has, and this one has not.
  private func queryLanguage() -> PredicateProblem? {
    guard case .word(let keyword?) = token.kind, let method = keyword.method else { return nil }
    return lexer.problem(
      "'\(keyword.rawValue)' belongs to the language of other SDKs", at: token.start,
      repair: "Use '\(method)' of the results.")
  }

  /// The problem of `$0`, which is an argument in Realm's query language.
  func numberedArgument() -> PredicateProblem {
    lexer.problem(
      "\(name(of: token)) belongs to the language of other SDKs", at: token.start,
      repair: "Use '%@' for each argument, in their order.")
  }

  /// The problem of a name with a parenthesis behind it.
  func function(_ name: FormatToken) -> PredicateProblem {
    if case .word(let keyword?) = name.kind, let method = keyword.method {
      return lexer.problem(
        "'\(keyword.rawValue)' belongs to the language of other SDKs", at: name.start,
        repair: "Use '\(method)' of the results.")
    }
    return .unsupportedFunction(
      lexer.string(name.start..<name.end), column: lexer.column(of: name.start))
  }

  func argumentCount() -> PredicateProblem {
    let placeholders = usedArguments == 1 ? "1 placeholder" : "\(usedArguments) placeholders"
    let given =
      arguments.count == 1 ? "1 argument was given" : "\(arguments.count) arguments were given"
    let repair =
      usedArguments < arguments.count && FormatLexer.hasPlaceholderInText(lexer.format)
      ? " A placeholder inside of quotation marks is text." : ""
    return lexer.notParsed("It has \(placeholders), and \(given).\(repair)")
  }
}
