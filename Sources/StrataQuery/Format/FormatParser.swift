/// A parser that builds a tree from a format string.
///
/// Parentheses and `NOT` are on the parser's own stack, so that a text can't overflow the thread's
/// stack.
struct FormatParser {
  var lexer: FormatLexer
  /// The current token. The lexer is after it.
  var token: FormatToken
  /// The previous token; nil at the beginning.
  var previous: FormatToken?
  let arguments: [QueryOperand]
  var usedArguments = 0
  /// Whether a path of the current comparison means any element without a quantifier.
  var meansAny = false
  /// The number of levels around the token.
  private var depth = 0

  init(_ format: String, _ arguments: [QueryOperand]) throws(PredicateProblem) {
    lexer = FormatLexer(format)
    self.arguments = arguments
    token = try lexer.next()
  }

  mutating func parse() throws(PredicateProblem) -> QueryPredicate {
    guard token.kind != .end else { throw lexer.problem("It has no condition", at: token.start) }
    let predicate = try predicate()
    guard token.kind == .end else { throw unexpected() }
    guard usedArguments == arguments.count else { throw argumentCount() }
    return predicate
  }

  // MARK: - Conditions

  /// The contents of one pair of parentheses.
  private struct Group {
    /// The offset of the parenthesis.
    var start = 0
    /// The number of `NOT` before the next condition.
    var negations = 0
    /// The conditions since the last `OR`.
    var conjunction: [QueryPredicate] = []
    var disjunction: [QueryPredicate] = []

    var isEmpty: Bool { negations == 0 && conjunction.isEmpty && disjunction.isEmpty }
  }

  /// Parses a condition, up to the end or an unmatched closing parenthesis.
  mutating func predicate() throws(PredicateProblem) -> QueryPredicate {
    var groups = [Group()]
    while true {
      if token.isNot {
        try enter()
        groups[groups.count - 1].negations += 1
        try advance()
        continue
      }
      if token.is(.open) {
        try enter()
        groups.append(Group(start: token.start))
        try advance()
        continue
      }
      let condition = try condition(in: &groups)
      if let whole = try combine(condition, into: &groups) { return whole }
    }
  }

  /// Adds a condition, and closes the groups that end after it. Returns the whole condition when no
  /// group is left.
  private mutating func combine(
    _ condition: QueryPredicate, into groups: inout [Group]
  ) throws(PredicateProblem) -> QueryPredicate? {
    var condition = condition
    while var group = groups.popLast() {
      for _ in 0..<group.negations { condition = .not(condition) }
      leave(group.negations)
      group.negations = 0
      group.conjunction.append(condition)
      if token.isAnd {
        try advance()
        groups.append(group)
        return nil
      }
      group.disjunction.append(Self.joined(group.conjunction, QueryPredicate.and))
      group.conjunction = []
      if token.isOr {
        try advance()
        groups.append(group)
        return nil
      }
      condition = Self.joined(group.disjunction, QueryPredicate.or)
      if groups.isEmpty { break }
      try close(from: group.start)
      leave(1)
    }
    return condition
  }

  private static func joined(
    _ parts: [QueryPredicate], _ join: ([QueryPredicate]) -> QueryPredicate
  ) -> QueryPredicate {
    parts.count == 1 ? parts[0] : join(parts)
  }

  private mutating func condition(
    in groups: inout [Group]
  ) throws(PredicateProblem) -> QueryPredicate {
    if token.is(.truePredicate) || token.is(.falsePredicate) {
      let value = token.is(.truePredicate)
      try advance()
      return .constant(value)
    }
    var quantifier: QueryQuantifier?
    if case .word(let keyword) = token.kind, let found = keyword?.quantifier {
      quantifier = found
      try advance()
    }
    meansAny = false
    let left = try operand(missing: "condition")
    // Parentheses around an operand look like parentheses around a condition until they close.
    while token.is(.close), quantifier == nil, groups.count > 1, let group = groups.last,
      group.isEmpty
    {
      groups.removeLast()
      try advance()
      leave(1)
    }
    let `operator` = try comparisonOperator()
    let options = try options()
    let right = try operand(missing: "value")
    return .comparison(
      QueryComparison(
        left, `operator`, right, options: options, quantifier: quantifier ?? (meansAny ? .any : nil)
      ))
  }

  // MARK: - Tokens

  mutating func advance() throws(PredicateProblem) {
    let next = try lexer.next()
    previous = token
    token = next
  }

  mutating func enter(levels: Int = 1) throws(PredicateProblem) {
    depth += levels
    guard depth <= QueryDepth.maxDepth else {
      throw lexer.problem(
        "The condition nests deeper than \(QueryDepth.maxDepth) levels", at: token.start,
        repair: "Write chains with AND or OR without parentheses."
          + (levels > 1 ? " A SUBQUERY counts as \(levels) levels." : ""))
    }
  }

  mutating func leave(_ levels: Int) {
    depth -= levels
  }

  /// Moves past a closing parenthesis.
  mutating func close(from start: Int) throws(PredicateProblem) {
    if token.is(.close) { return try advance() }
    if token.kind == .end {
      throw lexer.problem(
        "')' is missing for the '(' in column \(lexer.column(of: start))", at: token.start)
    }
    throw unexpected()
  }
}

extension FormatParser {
  mutating func comparisonOperator() throws(PredicateProblem) -> QueryOperator {
    guard let found = token.comparison else {
      if token.is(.matches) { throw .matches(column: lexer.column(of: token.start)) }
      throw missingOperator()
    }
    try advance()
    return found
  }

  /// Reads the letters in brackets after an operator.
  mutating func options() throws(PredicateProblem) -> QueryOptions {
    guard token.is(.openBracket) else { return [] }
    try advance()
    guard case .word = token.kind else {
      throw lexer.problem(
        "The letters 'c' or 'd' are missing after '['", at: token.start,
        repair: "A list is written {1, 2}.")
    }
    var options: QueryOptions = []
    for offset in token.start..<token.end {
      switch lexer.bytes[offset] | 0x20 {
      case UInt8(ascii: "c"): options.insert(.caseInsensitive)
      case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
      default:
        throw lexer.problem(
          "The option \(name(of: token)) is not supported", at: token.start,
          repair:
            "There are [c], which ignores upper and lower case, and [d], which ignores accents.")
      }
    }
    try advance()
    guard token.is(.closeBracket) else {
      throw lexer.problem("']' is missing after \(name(of: previous ?? token))", at: token.start)
    }
    try advance()
    return options
  }
}

extension FormatParser {
  /// Returns a token's name for messages, without values that a program may have put into the text.
  func name(of token: FormatToken) -> String {
    switch token.kind {
    case .end: "the end"
    case .text: "the text"
    case .number: "the number"
    default: "'\(lexer.string(token.start..<token.end))'"
    }
  }

  /// Returns the problem of a missing condition or value.
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

  func missingOperator() -> PredicateProblem {
    if let problem = calculation() ?? queryLanguage(token) { return problem }
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

  /// Returns the problem of a token after a complete condition.
  func unexpected() -> PredicateProblem {
    if let problem = calculation() ?? queryLanguage(token) { return problem }
    if token.is(.close) { return lexer.problem("')' has no '(' before it", at: token.start) }
    if token.is(.comma) {
      return lexer.problem(
        "',' is not expected here", at: token.start, repair: "A list is written {1, 2}.")
    }
    return lexer.problem("AND or OR is missing before \(name(of: token))", at: token.start)
  }

  /// Returns the problem of a token for a calculation.
  private func calculation() -> PredicateProblem? {
    switch token.kind {
    case .sign(let sign) where sign.isCalculation:
      return .unsupportedFunction(sign.rawValue, column: lexer.column(of: token.start))
    case .number where lexer.bytes[token.start] == UInt8(ascii: "-"):
      return .unsupportedFunction("-", column: lexer.column(of: token.start))
    default: return nil
    }
  }

  /// Returns the problem of a word that only Realm's query language supports.
  private func queryLanguage(_ token: FormatToken) -> PredicateProblem? {
    guard case .word(let keyword?) = token.kind, let method = keyword.method else { return nil }
    return lexer.problem(
      "'\(keyword.rawValue)' belongs to the language of other SDKs", at: token.start,
      repair: "Use '\(method)' of the results.")
  }

  /// Returns the problem of `$0`, which is an argument in Realm's query language.
  func numberedArgument() -> PredicateProblem {
    lexer.problem(
      "\(name(of: token)) belongs to the language of other SDKs", at: token.start,
      repair: "Use '%@' for each argument, in their order.")
  }

  /// Returns the problem of a name before a parenthesis.
  func function(_ name: FormatToken) -> PredicateProblem {
    queryLanguage(name)
      ?? .unsupportedFunction(
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
