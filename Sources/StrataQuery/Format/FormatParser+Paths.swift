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
