/// A condition on the objects or values of a collection, in no particular language.
///
/// `where` closures, format strings, `NSPredicate` and Foundation's `#Predicate` all become this
/// tree. It knows names and constants, and nothing of a schema: ``PredicateResolver`` finds out
/// whether the names exist and the types fit.
///
/// Logic has two values: a condition is true or false, never unknown. `AND` and `OR` have any
/// number of parts; without parts they are true and false.
package indirect enum QueryPredicate: Sendable, Hashable {
  case constant(Bool)
  case and([QueryPredicate])
  case or([QueryPredicate])
  case not(QueryPredicate)
  case comparison(QueryComparison)
  /// What could not be expressed; resolving it throws the problem.
  case invalid(PredicateProblem)
}

/// Two operands and an operator between them.
package struct QueryComparison: Sendable, Hashable {
  package var left: QueryOperand
  package var `operator`: QueryOperator
  package var right: QueryOperand
  package var options: QueryOptions
  /// For how many elements of the collections on the paths it must be true.
  package var quantifier: QueryQuantifier?

  package init(
    _ left: QueryOperand, _ operator: QueryOperator, _ right: QueryOperand,
    options: QueryOptions = QueryOptions(), quantifier: QueryQuantifier? = nil
  ) {
    self.left = left
    self.operator = `operator`
    self.right = right
    self.options = options
    self.quantifier = quantifier
  }
}

/// The operators of conditions; the raw value is how format strings spell them.
package enum QueryOperator: String, Sendable, Hashable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  /// One of a list.
  case `in` = "IN"
  /// At least the first, and at most the second value of a list.
  case between = "BETWEEN"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  /// Like a pattern: `?` is one character, `*` any number of them.
  case like = "LIKE"
  /// Has the words of a full-text search.
  case text = "TEXT"
  /// Is in an area on the Earth's surface.
  case geoWithin = "GEOWITHIN"
}

extension QueryOperator {
  /// Whether it compares two values by their equality or their order.
  var isComparison: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .in, .between, .contains, .beginsWith, .endsWith, .like, .text, .geoWithin: false
    }
  }

  /// Whether it looks into texts or data.
  var isOfText: Bool {
    switch self {
    case .contains, .beginsWith, .endsWith, .like, .text: true
    default: false
    }
  }
}

/// For how many elements of a collection a condition must be true.
package enum QueryQuantifier: String, Sendable, Hashable, CaseIterable {
  case any = "ANY"
  /// For none; also true for an empty collection. (`none` would mean the optional's.)
  case no = "NONE"
  /// Also true for an empty collection.
  case all = "ALL"
}

/// Options for comparing texts.
package struct QueryOptions: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  // Those of `OptionSet` are generic, and take a hundred instructions each: most comparisons have
  // no options.
  package init() { rawValue = 0 }

  package var isEmpty: Bool { rawValue == 0 }

  /// `[c]`: upper and lower case are the same.
  package static let caseInsensitive = QueryOptions(rawValue: 1)
  /// `[d]`: letters with and without accents are the same.
  package static let diacriticInsensitive = QueryOptions(rawValue: 2)
}

extension QueryComparison {
  /// The operator with its options, as format strings spell them.
  var operatorText: String {
    guard !options.isEmpty else { return self.operator.rawValue }
    let letters =
      (options.contains(.caseInsensitive) ? "c" : "")
      + (options.contains(.diacriticInsensitive) ? "d" : "")
    return "\(self.operator.rawValue)[\(letters)]"
  }
}
