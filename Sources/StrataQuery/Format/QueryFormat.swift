import Synchronization

/// The language of `NSPredicate`, as text: `age > 3 AND ANY dogs.name BEGINSWITH[c] 'R'`.
package enum QueryFormat {
  /// Parses the condition of a text.
  ///
  /// The names in the text aren't checked here, but when the tree is resolved.
  /// ```swift
  /// try QueryFormat.parse("age > %@ AND name == 'Rex'", [.value(.int(3))])
  /// ```
  ///
  /// - Parameter arguments: The arguments of the placeholders, in their order.
  /// - Throws: The mistake in the text, with the column of its first character.
  package static func parse(
    _ format: String, _ arguments: [QueryOperand] = []
  ) throws(PredicateProblem) -> QueryPredicate {
    // A text without arguments contains its constants, and may be different each time.
    if !arguments.isEmpty,
      let template = templates.withLock({ $0.template(of: format, places: arguments.count) }),
      let condition = template.filled(with: arguments)
    {
      return condition
    }
    var parser = try FormatParser(format, arguments)
    return try parser.parse()
  }

  private static let templates = Mutex(FormatTemplates())

  /// Returns the column of a problem in the text of its condition, with 1 for the first character;
  /// nil if the problem has no place.
  package static func column(of problem: PredicateProblem, in format: String) -> Int? {
    if let column = problem.column { return column }
    guard let path = problem.path.map({ Array($0.utf8) }) else { return nil }
    var lexer = FormatLexer(format)
    // For a value, only matches in the same comparison count, because another property may be
    // compared with the same value.
    var (first, pathPlace, valuePlace): (Int?, Int?, Int?)
    do throws(PredicateProblem) {
      while case let token = try lexer.next(), token.kind != .end {
        if token.isAnd || token.isOr { (pathPlace, valuePlace) = (nil, nil) }
        if lexer.bytes[token.start...].starts(with: path) { pathPlace = token.start }
        if let value = problem.value, try lexer.value(of: token)?.text == value {
          valuePlace = token.start
        }
        first = first ?? pathPlace
        if pathPlace != nil, let place = problem.value == nil ? pathPlace : valuePlace {
          return lexer.column(of: place)
        }
      }
    } catch {
      // The rest of the text is no condition then.
    }
    return first.map(lexer.column)
  }
}

extension QueryPath {
  /// Creates the path in a text, such as `dogs.@avg.age`.
  ///
  /// - Throws: The problem of a part: an empty name, or an unknown operation.
  package init(named text: String) throws(PredicateProblem) {
    var parser = try FormatParser("%K", [.value(.string(text))])
    self = try parser.path()
  }
}
