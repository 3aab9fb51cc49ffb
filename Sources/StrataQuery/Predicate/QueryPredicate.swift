package import StrataSchema

/// A condition on the objects or values of a collection, independent of its language.
///
/// `where` closures, format strings, `NSPredicate` and Foundation's `#Predicate` are all converted
/// to this tree. It contains names and constants, and doesn't depend on a schema.
/// ``PredicateResolver`` checks whether the names exist and the types fit.
///
/// Logic has two values: a condition is true or false, never unknown. `AND` and `OR` have any
/// number of parts; without parts they are true and false.
package indirect enum QueryPredicate: Sendable, Hashable {
  case constant(Bool)
  case and([QueryPredicate])
  case or([QueryPredicate])
  case not(QueryPredicate)
  case comparison(QueryComparison)
  /// An inexpressible part; resolving it throws the problem.
  case invalid(PredicateProblem)
}

/// Two operands and an operator between them.
package struct QueryComparison: Sendable, Hashable {
  package var left: QueryOperand
  package var `operator`: QueryOperator
  package var right: QueryOperand
  package var options: QueryOptions
  /// The number of elements, of the collections on the paths, for which it must be true.
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

/// The operators of conditions. The raw value is their spelling in format strings.
package enum QueryOperator: String, Sendable, Hashable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  /// Equal to one value of a list.
  case `in` = "IN"
  /// At least the first, and at most the second value of a list.
  case between = "BETWEEN"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  /// Matches a pattern: `?` is one character, `*` any number of them.
  case like = "LIKE"
  /// Contains the words of a full-text search.
  case text = "TEXT"
  /// Is in an area on the Earth's surface.
  case geoWithin = "GEOWITHIN"
}

extension QueryOperator {
  /// Whether it compares two values by their equality or their order.
  var isComparison: Bool { exchanged != nil }

  /// The operator for exchanged operands; nil if only the left one can be a property.
  package var exchanged: QueryOperator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .in, .between, .contains, .beginsWith, .endsWith, .like, .text, .geoWithin: nil
    }
  }

  /// Whether it searches in texts or data.
  var isOfText: Bool {
    switch self {
    case .contains, .beginsWith, .endsWith, .like, .text: true
    default: false
    }
  }
}

/// The number of elements of a collection for which a condition must be true.
package enum QueryQuantifier: String, Sendable, Hashable, CaseIterable {
  case any = "ANY"
  /// For no element; also true for an empty collection. (`none` would be ambiguous with the
  /// optional's.)
  case no = "NONE"
  /// Also true for an empty collection.
  case all = "ALL"
}

/// Options for comparing strings.
package struct QueryOptions: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  // The generic implementations of `OptionSet` take a hundred instructions each, and most
  // comparisons have no options.
  package init() { rawValue = 0 }

  package var isEmpty: Bool { rawValue == 0 }

  /// `[c]`: ignores case.
  package static let caseInsensitive = QueryOptions(rawValue: 1)
  /// `[d]`: ignores accents.
  package static let diacriticInsensitive = QueryOptions(rawValue: 2)
}

extension QueryComparison {
  /// The operator with its options, as spelled in format strings.
  var operatorText: String {
    guard !options.isEmpty else { return self.operator.rawValue }
    let letters =
      (options.contains(.caseInsensitive) ? "c" : "")
      + (options.contains(.diacriticInsensitive) ? "d" : "")
    return "\(self.operator.rawValue)[\(letters)]"
  }
}

/// A side of a comparison.
package indirect enum QueryOperand: Sendable, Hashable {
  case path(QueryPath)
  case value(QueryValue)
  case list([QueryValue])
  /// The number of elements for which a condition is true: `SUBQUERY(dogs, $d, …).@count`.
  case subquery(QuerySubquery)
}

/// A path from an object through its properties: `dog.owner.name`, `dogs.@avg.age`, `$d.name`.
///
/// Without parts it is the object or the element itself: `SELF`, or the variable.
package struct QueryPath: Sendable, Hashable {
  /// The variable of a subquery, without `$`; nil for the object of the query.
  package var variable: String?
  package var parts: [QueryPart]

  package init(_ parts: [QueryPart], variable: String? = nil) {
    self.parts = parts
    self.variable = variable
  }
}

/// One step of a path.
package enum QueryPart: Sendable, Hashable {
  /// A property, by its Swift name or by its column's name.
  case property(String)
  /// An operation on the elements of the previous collection: `@count`, `@avg`. For objects, the
  /// property to aggregate comes next: `dogs.@avg.age`.
  case operation(QueryAggregate)
  /// The keys of the previous map: `@allKeys`.
  case keys
  /// The values of the previous map: `@allValues`.
  case values
  /// The value of a key of the previous map, or of a dictionary in an `AnyRealmValue`:
  /// `map['key']`.
  case key(String)
  /// The element of a list in an `AnyRealmValue`: `note[0]`.
  case index(Int)
  /// Each element of a list, or each value of a dictionary, in an `AnyRealmValue`: `note[ANY]`.
  case any
  /// An inexpressible part; resolving it throws the problem.
  case invalid(PredicateProblem)
}

/// An operation on all elements of a collection. The raw value is its spelling in format strings.
package enum QueryAggregate: String, Sendable, Hashable, CaseIterable {
  case count = "@count"
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"
}

/// The elements of a collection for which a condition is true.
package struct QuerySubquery: Sendable, Hashable {
  package var collection: QueryPath
  /// The name of an element in the condition, without `$`.
  package var variable: String
  package var predicate: QueryPredicate

  package init(_ collection: QueryPath, _ variable: String, _ predicate: QueryPredicate) {
    self.collection = collection
    self.variable = variable
    self.predicate = predicate
  }
}

/// A condition without its constants. Conditions of the same shape have the same SQL.
///
/// Only common conditions have a shape: properties, also of linked objects, that are compared with
/// strings, numbers and Booleans, and a few of these with `&&`, `||` and `!`.
package struct QueryShape: Sendable, Hashable {
  private enum Step: Sendable, Hashable {
    case comparison(QueryPath, QueryOperator, PropertyType)
    // The number of preceding steps that it joins.
    case and(Int)
    case or(Int)
    case not
  }

  private let steps: [Step]

  private init(_ steps: [Step]) { self.steps = steps }

  package var types: [PropertyType] {
    steps.compactMap { if case .comparison(_, _, let type) = $0 { type } else { nil } }
  }

  /// Returns the shape of a condition, and its constants in the order of their parameters; nil for
  /// other conditions.
  package static func of(
    _ predicate: QueryPredicate
  ) -> (shape: QueryShape, constants: [StoredValue])? {
    var walk = Walk()
    guard walk.add(predicate) else { return nil }
    return (QueryShape(walk.steps), walk.constants)
  }

  /// A walk through a condition that creates steps, or compares them with the steps of a shape.
  private struct Walk {
    private(set) var steps: [Step] = []
    private(set) var constants: [StoredValue] = []

    /// Conditions with more comparisons aren't repeated often enough to be cached.
    private static let maxComparisons = 8

    mutating func add(_ predicate: QueryPredicate) -> Bool {
      switch predicate {
      case .comparison(let comparison): add(comparison)
      case .and(let parts): add(parts) && append(.and(parts.count))
      case .or(let parts): add(parts) && append(.or(parts.count))
      case .not(let part): add(part) && append(.not)
      case .constant, .invalid: false
      }
    }

    private mutating func append(_ step: Step) -> Bool {
      steps.append(step)
      return true
    }

    private mutating func add(_ parts: [QueryPredicate]) -> Bool {
      // A chain without parts is a constant.
      guard !parts.isEmpty, parts.count <= Self.maxComparisons else { return false }
      for part in parts where !add(part) { return false }
      return true
    }

    private mutating func add(_ comparison: QueryComparison) -> Bool {
      guard constants.count < Self.maxComparisons, comparison.quantifier == nil,
        comparison.options.isEmpty, comparison.operator.isComparison,
        case .path(let path) = comparison.left, case .value(let value) = comparison.right,
        let constant = value.constant
      else { return false }
      steps.append(.comparison(path, comparison.operator, constant.type))
      constants.append(constant.stored)
      return true
    }
  }
}

extension QueryValue {
  /// The constant in the form that a column of its type stores; nil for rarely compared types, and
  /// for numbers that need a special comparison.
  fileprivate var constant: (type: PropertyType, stored: StoredValue)? {
    switch self {
    case .string(let text): (.string, .text(text))
    case .int(let number): (.int, .integer(number))
    case .double(let number) where number.isFinite: (.double, .real(number))
    case .bool(let value): (.bool, .integer(value ? 1 : 0))
    default: nil
    }
  }
}
