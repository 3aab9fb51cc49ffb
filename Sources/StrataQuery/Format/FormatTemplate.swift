/// The condition of a text with places for its arguments, so that the text is parsed once: a
/// program asks few texts, each again and again with other values.
///
/// Only of texts whose every placeholder is a side of a comparison, `%@`: whatever value takes its
/// place, the rest of the condition is the same.
struct FormatTemplate: Sendable {
  private let condition: QueryPredicate
  private let count: Int
  /// The comparisons of properties with places that must all be true; nil for other conditions.
  private let comparisons: [Comparison]?

  private struct Comparison: Sendable {
    let path: QueryPath
    let `operator`: QueryOperator
    let place: Int
  }

  /// Nil for a text that has other placeholders, or a mistake.
  init?(_ format: String, places count: Int) {
    let places = (0..<count).map { QueryOperand.place($0) }
    guard var parser = try? FormatParser(format, places), let condition = try? parser.parse(),
      condition.places == count
    else { return nil }
    self.condition = condition
    self.count = count
    comparisons = Self.comparisons(in: condition)
  }

  private static func comparisons(in condition: QueryPredicate) -> [Comparison]? {
    switch condition {
    case .comparison(let comparison):
      guard comparison.options.isEmpty, comparison.quantifier == nil,
        case .path(let path) = comparison.left, let place = comparison.right.place
      else { return nil }
      return [Comparison(path: path, operator: comparison.operator, place: place)]
    case .and(let parts):
      // Parts that are chains themselves would have another shape.
      let comparisons = parts.compactMap { part -> Comparison? in
        guard case .comparison = part else { return nil }
        return Self.comparisons(in: part)?.first
      }
      return comparisons.count == parts.count ? comparisons : nil
    case .constant, .or, .not, .invalid: return nil
    }
  }

  /// The condition with arguments; nil where these are not as many values.
  func filled(with arguments: [QueryOperand]) -> QueryFormat.Condition? {
    guard arguments.count == count, arguments.allSatisfy(\.isValue) else { return nil }
    if let conditions = conditions(with: arguments) { return .conditions(conditions) }
    return .predicate(condition.filled(with: arguments))
  }

  /// The same without a tree; nil for a condition, or a value, that must have one.
  private func conditions(with arguments: [QueryOperand]) -> PropertyConditions? {
    guard let comparisons else { return nil }
    var all: PropertyConditions?
    for comparison in comparisons {
      guard case .value(let value) = arguments[comparison.place],
        let one = PropertyConditions(comparison.path, comparison.operator, value)
      else { return nil }
      all = all?.and(one) ?? one
    }
    return all
  }
}

/// The templates of the texts that were asked last.
struct FormatTemplates: Sendable {
  private var known: [String: FormatTemplate?] = [:]
  private var last: (text: String, template: FormatTemplate?)?

  /// A program that makes ever new texts must not fill the memory.
  static let most = 256
  private static let longest = 1_000

  var count: Int { known.count }

  /// The template of a text; nil where it has none.
  mutating func template(of format: String, places count: Int) -> FormatTemplate? {
    if let last, last.text == format { return last.template }
    guard format.utf8.count <= Self.longest else { return nil }
    if let template = known[format] {
      last = (format, template)
      return template
    }
    let template = FormatTemplate(format, places: count)
    if known.count >= Self.most { known.removeAll() }
    known[format] = .some(template)
    last = (format, template)
    return template
  }
}

extension QueryOperand {
  /// The place of an argument. No literal of the language is an `ObjectId`.
  fileprivate static func place(_ number: Int) -> QueryOperand { .value(.objectId("\(number)")) }

  fileprivate var place: Int? {
    if case .value(.objectId(let number)) = self { Int(number) } else { nil }
  }

  fileprivate var isValue: Bool {
    if case .value = self { true } else { false }
  }
}

extension QueryPredicate {
  /// How many sides of comparisons are places.
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
