extension FormatParser {
  /// - Parameter what: The missing item in the message if no operand begins here.
  mutating func operand(missing what: String) throws(PredicateProblem) -> QueryOperand {
    var opened: [Int] = []
    while token.is(.open) {
      try enter()
      opened.append(token.start)
      try advance()
    }
    let operand = try innerOperand(missing: what)
    for start in opened.reversed() { try close(from: start) }
    leave(opened.count)
    return operand
  }

  private mutating func innerOperand(
    missing what: String
  ) throws(PredicateProblem) -> QueryOperand {
    if let value = try literal() { return .value(value) }
    switch token.kind {
    case .placeholder(.name), .variable, .escapedWord, .operation, .sign(.dot):
      return .path(try path())
    case .placeholder: return try argument()
    case .sign(.openList): return .list(try list())
    case .word(.subquery): return .subquery(try subquery())
    case .word(let keyword) where keyword?.isReserved != true:
      let first = token
      let path = try path()
      if token.is(.open), previous?.start == first.start { throw function(first) }
      return .path(path)
    case .sign(let sign) where sign.isCalculation:
      throw .unsupportedFunction(sign.rawValue, column: lexer.column(of: token.start))
    default: throw missing(what)
    }
  }

  /// Returns the value of a literal. Returns nil without reading anything if the token is no
  /// literal.
  private mutating func literal() throws(PredicateProblem) -> QueryValue? {
    guard let value = try lexer.value(of: token) else { return nil }
    try advance()
    return value
  }

  private mutating func list() throws(PredicateProblem) -> [QueryValue] {
    let start = token.start
    try advance()
    if token.is(.closeList) {
      try advance()
      return []
    }
    var values: [QueryValue] = []
    while true {
      values.append(try member())
      if token.is(.closeList) { break }
      guard token.is(.comma) else {
        if token.kind == .end {
          throw lexer.problem(
            "'}' is missing for the '{' in column \(lexer.column(of: start))", at: token.start)
        }
        throw lexer.problem("',' is missing before \(name(of: token))", at: token.start)
      }
      try advance()
    }
    try advance()
    return values
  }

  private mutating func member() throws(PredicateProblem) -> QueryValue {
    if let value = try literal() { return value }
    let start = token.start
    switch token.kind {
    case .placeholder(.name), .word, .escapedWord, .variable, .operation, .sign(.openList),
      .sign(.open):
      throw .listMember(column: lexer.column(of: start))
    case .placeholder:
      guard case .value(let value) = try argument() else {
        throw .listMember(column: lexer.column(of: start))
      }
      return value
    default: throw missing("value")
    }
  }

  private mutating func subquery() throws(PredicateProblem) -> QuerySubquery {
    try enter(levels: QueryDepth.ofSubqueryInText)
    try advance()
    guard token.is(.open) else { throw missing("'('") }
    let start = token.start
    try advance()
    let collection = try path()
    try comma()
    guard token.kind == .variable else {
      throw lexer.problem(
        "A variable such as '$x' is missing after ','", at: token.start)
    }
    let variable = lexer.string((token.start + 1)..<token.end)
    try advance()
    try comma()
    let predicate = try predicate()
    try close(from: start)
    leave(QueryDepth.ofSubqueryInText)
    guard token.is(.dot) else { throw .subqueryWithoutCount }
    try advance()
    guard token.kind == .operation,
      lexer.string(token.start..<token.end) == QueryAggregate.count.rawValue
    else { throw .subqueryWithoutCount }
    try advance()
    if token.is(.dot) { throw .subqueryWithoutCount }
    return QuerySubquery(collection, variable, predicate)
  }

  private mutating func comma() throws(PredicateProblem) {
    guard token.is(.comma) else {
      throw lexer.problem(
        "',' is missing after \(name(of: previous ?? token))", at: token.start,
        repair: "Write SUBQUERY(dogs, $dog, $dog.age > 3).@count > 0.")
    }
    try advance()
  }

  // MARK: - Arguments

  /// Returns the argument of a placeholder. Nil replaces missing arguments, because the later error
  /// about their number is more useful than an error about the first missing one.
  private mutating func argument() throws(PredicateProblem) -> QueryOperand {
    let placeholder = token
    guard let argument = nextArgument() else {
      try advance()
      return .value(.null)
    }
    let fits =
      switch placeholder.kind {
      case .placeholder(.number): argument.isNumber
      case .placeholder(.text): argument.isText
      default: true
      }
    guard fits else {
      let wanted = placeholder.kind == .placeholder(.text) ? "a text" : "a number"
      throw unfit(argument, for: placeholder, wanted: wanted)
    }
    try advance()
    return argument
  }

  mutating func nextArgument() -> QueryOperand? {
    usedArguments += 1
    return usedArguments <= arguments.count ? arguments[usedArguments - 1] : nil
  }

  func unfit(
    _ argument: QueryOperand, for placeholder: FormatToken, wanted: String
  ) -> PredicateProblem {
    lexer.problem(
      "The placeholder \(name(of: placeholder)) takes \(wanted), and argument \(usedArguments) is "
        + argument.kindName, at: placeholder.start)
  }
}

extension QueryOperand {
  fileprivate var isNumber: Bool {
    switch self {
    case .value(.bool), .value(.int), .value(.float), .value(.double), .value(.decimal): true
    default: false
    }
  }

  fileprivate var isText: Bool {
    if case .value(.string) = self { true } else { false }
  }

  fileprivate var kindName: String {
    switch self {
    case .value(.null): "nil"
    case .value(let value): "of type '\(value.typeName)'"
    case .list: "a list"
    case .path, .subquery: "a key path"
    }
  }
}

extension FormatParser {
  /// A mistake in a path. Messages show the whole path, so it is first read to its end.
  private enum PathMistake {
    case noName
    case noNameBeforeDot
    case noNameAfterDot
    case operation(String)
  }

  mutating func path() throws(PredicateProblem) -> QueryPath {
    var path = QueryPath([])
    var mistake: PathMistake?
    if token.is(.dot) {
      path.parts.append(.property(""))
      mistake = .noNameBeforeDot
    } else {
      try part(of: &path, isFirst: true, &mistake)
    }
    while true {
      if token.is(.openBracket) {
        try subscription(of: &path)
      } else if token.is(.dot) {
        try advance()
        try part(of: &path, isFirst: false, &mistake)
      } else {
        break
      }
    }
    switch mistake {
    case .noName: throw .invalidKeyPath(path, "it names no property.")
    case .noNameBeforeDot: throw .invalidKeyPath(path, "no key name before '.'")
    case .noNameAfterDot: throw .invalidKeyPath(path, "no key name after last '.'")
    case .operation(let name): throw .unsupportedOperation(name, in: path)
    case nil: break
    }
    return path
  }

  private mutating func part(
    of path: inout QueryPath, isFirst: Bool, _ mistake: inout PathMistake?
  ) throws(PredicateProblem) {
    switch token.kind {
    case .word(let keyword):
      // A reserved word that is separated from the dot belongs to the following text.
      if !isFirst, let keyword, keyword.isReserved, previous?.end != token.start { break }
      if keyword != .self {
        path.parts.append(.property(lexer.string(token.start..<token.end)))
      }
      return try advance()
    case .escapedWord:
      path.parts.append(.property(lexer.string((token.start + 1)..<token.end)))
      return try advance()
    case .operation:
      append(lexer.string(token.start..<token.end), to: &path, &mistake)
      return try advance()
    case .placeholder(.name):
      let placeholder = token
      if let argument = nextArgument() {
        guard case .value(.string(let names)) = argument else {
          throw unfit(argument, for: placeholder, wanted: "the name of a property")
        }
        let parts = names.split(separator: ".", omittingEmptySubsequences: false)
        for (index, name) in parts.enumerated() {
          if name.isEmpty {
            let isLast = index > 0 && index == parts.count - 1
            mistake =
              mistake
              ?? (names.isEmpty ? .noName : isLast ? .noNameAfterDot : .noNameBeforeDot)
          }
          append(String(name), to: &path, &mistake)
        }
      } else {
        path.parts.append(.property("%K"))
      }
      return try advance()
    case .variable where isFirst:
      if FormatLexer.isDigit(lexer.bytes[token.start + 1]) { throw numberedArgument() }
      path.variable = lexer.string((token.start + 1)..<token.end)
      return try advance()
    default: break
    }
    if isFirst { throw missing("key path") }
    path.parts.append(.property(""))
    mistake = mistake ?? (token.is(.dot) ? .noNameBeforeDot : .noNameAfterDot)
  }

  /// Adds a part by its text.
  private func append(
    _ name: String, to path: inout QueryPath, _ mistake: inout PathMistake?
  ) {
    switch name {
    case "@allKeys": path.parts.append(.keys)
    case "@allValues": path.parts.append(.values)
    case _ where name.utf8.first == UInt8(ascii: "@"):
      if let operation = QueryAggregate(rawValue: name) {
        path.parts.append(.operation(operation))
      } else {
        path.parts.append(.property(name))
        mistake = mistake ?? .operation(name)
      }
    default:
      path.parts.append(.property(name))
    }
  }

  /// Reads a key in brackets, the position of an element, or `ANY`.
  private mutating func subscription(of path: inout QueryPath) throws(PredicateProblem) {
    try advance()
    var part: QueryPart?
    let found = token
    switch token.kind {
    case .text: part = .key(try lexer.value(ofText: token))
    case .number: part = index(try lexer.value(ofNumber: token))
    case .word(.any): part = .any
    case .placeholder:
      switch nextArgument() {
      // The format that RealmSwift's own `where` queries use.
      case .value(.string("#any"))? where token.kind == .placeholder(.name):
        part = .any
        meansAny = true
      case .value(.string(let text))?: part = .key(text)
      case .value(let value)?: part = index(value)
      case nil: part = .key("")
      default: break
      }
    case .end: throw missing("key")
    default: break
    }
    guard let part else {
      throw .unsupportedSubscript(lexer.string(found.start..<found.end), of: path)
    }
    try advance()
    guard token.is(.closeBracket) else {
      throw lexer.problem("']' is missing after \(name(of: previous ?? token))", at: token.start)
    }
    path.parts.append(part)
    try advance()
  }

  private func index(_ value: QueryValue) -> QueryPart? {
    guard case .int(let number) = value, number >= 0 else { return nil }
    return Int(exactly: number).map { .index($0) }
  }
}
