extension FormatParser {
  mutating func comparisonOperator() throws(PredicateProblem) -> QueryOperator {
    guard let found = token.comparison else {
      if token.is(.matches) { throw .matches(column: lexer.column(of: token.start)) }
      throw missingOperator()
    }
    try advance()
    return found
  }

  /// The letters in brackets behind an operator.
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
