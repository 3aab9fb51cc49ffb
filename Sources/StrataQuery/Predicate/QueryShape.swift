package import StrataSchema

/// A condition without its constants: what two conditions have in common whose SQL is the same.
///
/// Only conditions have a shape that programs ask most: properties, also behind links, that are
/// compared with texts, numbers and Booleans, and a few of these with `&&`, `||` and `!`.
package struct QueryShape: Sendable, Hashable {
  private enum Step: Sendable, Hashable {
    case comparison(QueryPath, QueryOperator, PropertyType)
    // Of so many steps before it.
    case and(Int)
    case or(Int)
    case not
  }

  private var steps: [Step] = []

  /// The types of the constants.
  package var types: [PropertyType] {
    steps.compactMap { if case .comparison(_, _, let type) = $0 { type } else { nil } }
  }

  /// More comparisons aren't asked often enough to be remembered.
  private static let mostComparisons = 8

  /// The shape of a condition, and its constants in the order of their parameters; nil for other
  /// conditions.
  package static func of(
    _ predicate: QueryPredicate
  ) -> (shape: QueryShape, constants: [StoredValue])? {
    var shape = QueryShape()
    var constants: [StoredValue] = []
    return shape.add(predicate, &constants) ? (shape, constants) : nil
  }

  private mutating func add(
    _ predicate: QueryPredicate, _ constants: inout [StoredValue]
  ) -> Bool {
    switch predicate {
    case .comparison(let comparison): return add(comparison, &constants)
    case .and(let parts):
      return add(parts, &constants) && append(.and(parts.count))
    case .or(let parts):
      return add(parts, &constants) && append(.or(parts.count))
    case .not(let part): return add(part, &constants) && append(.not)
    case .constant, .invalid: return false
    }
  }

  private mutating func append(_ step: Step) -> Bool {
    steps.append(step)
    return true
  }

  private mutating func add(
    _ parts: [QueryPredicate], _ constants: inout [StoredValue]
  ) -> Bool {
    // Without parts it is a constant.
    guard !parts.isEmpty, parts.count <= Self.mostComparisons else { return false }
    for part in parts where !add(part, &constants) { return false }
    return true
  }

  private mutating func add(
    _ comparison: QueryComparison, _ constants: inout [StoredValue]
  ) -> Bool {
    guard constants.count < Self.mostComparisons, comparison.quantifier == nil,
      comparison.options.isEmpty, comparison.operator.comparesOrder,
      case .path(let path) = comparison.left, case .value(let value) = comparison.right,
      let (constant, type) = value.ofUsualType
    else { return false }
    steps.append(.comparison(path, comparison.operator, type))
    constants.append(constant)
    return true
  }
}

extension QueryOperator {
  /// Whether it compares two values, and has the same SQL whatever they are.
  fileprivate var comparesOrder: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .in, .between, .contains, .beginsWith, .endsWith, .like, .text, .geoWithin: false
    }
  }
}

extension QueryValue {
  /// The value as a column of the same type keeps it, with this type; nil for other types, and for
  /// numbers that are compared in another way than all others.
  fileprivate var ofUsualType: (StoredValue, PropertyType)? {
    switch self {
    case .string(let text): (.text(text), .string)
    case .int(let number): (.integer(number), .int)
    case .double(let number) where number.isFinite: (.real(number), .double)
    case .bool(let value): (.integer(value ? 1 : 0), .bool)
    default: nil
    }
  }
}
