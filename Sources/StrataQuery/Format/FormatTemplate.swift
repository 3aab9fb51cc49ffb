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
  static let most = 256
  private static let longest = 1_000

  var count: Int { known.count }

  /// Returns the template of a text; nil if it has none.
  mutating func template(of format: String, places count: Int) -> FormatTemplate? {
    guard format.utf8.count <= Self.longest else { return nil }
    if let template = known[format] { return template }
    let template = FormatTemplate(format, places: count)
    if known.count >= Self.most { known.removeAll() }
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
