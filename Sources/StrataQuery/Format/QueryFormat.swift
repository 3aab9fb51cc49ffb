import Synchronization

/// The language of `NSPredicate`, as text: `age > 3 AND ANY dogs.name BEGINSWITH[c] 'R'`.
package enum QueryFormat {
  /// Parses the condition of a text.
  ///
  /// The names in the text aren't checked here, but when the tree is resolved.
  ///
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
  package init(named text: String) throws(PredicateProblem) {
    var parser = try FormatParser("%K", [.value(.string(text))])
    self = try parser.path()
  }
}

/// The condition of a text with places for its arguments, so that the text is parsed once. A
/// program uses few texts, each repeatedly with other values.
///
/// Only for texts in which every placeholder is `%@` and a side of a comparison. Then the value
/// doesn't affect the rest of the condition.
struct FormatTemplate: Sendable {
  private let condition: QueryPredicate
  private let count: Int

  /// Returns nil for a text that has other placeholders, or a mistake.
  init?(_ format: String, places count: Int) {
    let places = (0..<count).map { QueryOperand.place($0) }
    guard var parser = try? FormatParser(format, places), let condition = try? parser.parse(),
      condition.places == count
    else { return nil }
    self.condition = condition
    self.count = count
  }

  /// Returns the condition with arguments; nil if they are no values, or their number is wrong.
  func filled(with arguments: [QueryOperand]) -> QueryPredicate? {
    guard arguments.count == count, arguments.allSatisfy(\.isValue) else { return nil }
    return condition.filled(with: arguments)
  }
}

/// The templates of the most recent texts.
struct FormatTemplates: Sendable {
  private var known: [String: FormatTemplate?] = [:]

  /// The limit for a program that generates new texts.
  static let maxCount = 256
  private static let maxLength = 1_000

  var count: Int { known.count }

  /// Returns the template of a text; nil if it has none.
  mutating func template(of format: String, places count: Int) -> FormatTemplate? {
    guard format.utf8.count <= Self.maxLength else { return nil }
    if let template = known[format] { return template }
    let template = FormatTemplate(format, places: count)
    if known.count >= Self.maxCount { known.removeAll() }
    known[format] = .some(template)
    return template
  }
}

extension QueryOperand {
  /// Returns a placeholder operand. No literal of the language is an `ObjectId`.
  fileprivate static func place(_ number: Int) -> QueryOperand { .value(.objectId("\(number)")) }

  fileprivate var place: Int? {
    if case .value(.objectId(let number)) = self { Int(number) } else { nil }
  }

  fileprivate var isValue: Bool {
    if case .value = self { true } else { false }
  }
}

extension QueryPredicate {
  /// The number of sides of comparisons that are places.
  fileprivate var places: Int {
    switch self {
    case .constant, .invalid: 0
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.places }
    case .not(let part): part.places
    case .comparison(let comparison):
      (comparison.left.place == nil ? 0 : 1) + (comparison.right.place == nil ? 0 : 1)
    }
  }

  fileprivate func filled(with arguments: [QueryOperand]) -> QueryPredicate {
    switch self {
    case .constant, .invalid: return self
    case .and(let parts): return .and(parts.map { $0.filled(with: arguments) })
    case .or(let parts): return .or(parts.map { $0.filled(with: arguments) })
    case .not(let part): return .not(part.filled(with: arguments))
    case .comparison(var comparison):
      if let place = comparison.left.place { comparison.left = arguments[place] }
      if let place = comparison.right.place { comparison.right = arguments[place] }
      return .comparison(comparison)
    }
  }
}
