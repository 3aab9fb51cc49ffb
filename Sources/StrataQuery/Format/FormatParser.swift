/// A parser that makes a tree of a format string.
///
/// Parentheses and `NOT` are kept on a stack of the parser's own, not on the thread's: a text can't
/// exhaust that.
struct FormatParser {
  var lexer: FormatLexer
  /// The token to look at; the lexer is behind it.
  var token: FormatToken
  /// The token before it; nil at the beginning.
  var previous: FormatToken?
  let arguments: [QueryOperand]
  var usedArguments = 0
  /// Whether a path of the comparison so far means any element without saying so.
  var meansAny = false
  /// How many levels are around the token.
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

  /// The content of one pair of parentheses.
  private struct Group {
    /// Where the parenthesis is.
    var start = 0
    /// How many `NOT` are before the next condition.
    var negations = 0
    /// The conditions since the last `OR`.
    var conjunction: [QueryPredicate] = []
    var disjunction: [QueryPredicate] = []

    var isEmpty: Bool { negations == 0 && conjunction.isEmpty && disjunction.isEmpty }
  }

  /// A condition, up to the end or a parenthesis that it did not open.
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

  /// Adds a condition, and closes the groups that end behind it; the whole when none is left.
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
    // Parentheses around an operand look like those of a condition until they close.
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
    guard depth <= QueryDepth.most else {
      throw lexer.problem(
        "The condition nests deeper than \(QueryDepth.most) levels", at: token.start,
        repair: "Write chains with AND or OR without parentheses."
          + (levels > 1 ? " A SUBQUERY counts as \(levels) levels." : ""))
    }
  }

  mutating func leave(_ levels: Int) {
    depth -= levels
  }

  /// Goes on behind the parenthesis that closes another.
  mutating func close(from start: Int) throws(PredicateProblem) {
    if token.is(.close) { return try advance() }
    if token.kind == .end {
      throw lexer.problem(
        "')' is missing for the '(' in column \(lexer.column(of: start))", at: token.start)
    }
    throw unexpected()
  }
}
