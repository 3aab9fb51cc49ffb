import Synchronization

/// The language of `NSPredicate`, as text: `age > 3 AND ANY dogs.name BEGINSWITH[c] 'R'`.
package enum QueryFormat {
  /// The condition that a text describes.
  ///
  /// It says nothing of the names in the text: those are looked up when the tree is resolved.
  /// ```swift
  /// try QueryFormat.parse("age > %@ AND name == 'Rex'", [.value(.int(3))])
  /// ```
  ///
  /// - Parameter arguments: What takes the places of the placeholders, in their order.
  /// - Throws: What is wrong with the text, with the column of the first character that is wrong.
  package static func parse(
    _ format: String, _ arguments: [QueryOperand] = []
  ) throws(PredicateProblem) -> QueryPredicate {
    try condition(format, arguments).predicate
  }

  /// A condition of a text.
  package enum Condition: Sendable {
    /// One without its tree, of a text whose places are compared with properties.
    case conditions(PropertyConditions)
    case predicate(QueryPredicate)

    var predicate: QueryPredicate {
      switch self {
      case .conditions(let conditions): conditions.predicate
      case .predicate(let predicate): predicate
      }
    }
  }

  /// The condition that a text describes: see ``parse(_:_:)``.
  package static func condition(
    _ format: String, _ arguments: [QueryOperand]
  ) throws(PredicateProblem) -> Condition {
    // A text without arguments has its constants in it, and may be another one each time.
    if !arguments.isEmpty,
      let template = templates.withLock({ $0.template(of: format, places: arguments.count) }),
      let condition = template.filled(with: arguments)
    {
      return condition
    }
    var parser = try FormatParser(format, arguments)
    return .predicate(try parser.parse())
  }

  private static let templates = Mutex(FormatTemplates())

  /// Where the problem of a condition is in its text, with 1 for the first character; nil where no
  /// place is wrong more than another.
  package static func column(of problem: PredicateProblem, in format: String) -> Int? {
    if let column = problem.column { return column }
    guard let path = problem.path.map({ Array($0.utf8) }) else { return nil }
    var lexer = FormatLexer(format)
    // Of a value the places in one comparison: the same may be compared with another property.
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
      // Then the rest of the text is no condition.
    }
    return first.map(lexer.column)
  }
}

extension QueryPath {
  /// The path that a text names, such as `dogs.@avg.age`.
  ///
  /// - Throws: What is wrong with a part of it: an empty one, or an operation that doesn't exist.
  package init(named text: String) throws(PredicateProblem) {
    var parser = try FormatParser("%K", [.value(.string(text))])
    self = try parser.path()
  }
}
