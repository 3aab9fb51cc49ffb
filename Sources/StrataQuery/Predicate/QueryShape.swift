package import StrataSchema

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
