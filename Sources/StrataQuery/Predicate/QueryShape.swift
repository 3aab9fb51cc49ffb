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

    func `is`(_ comparison: PropertyConditions.Comparison) -> Bool {
      guard case .comparison(let path, let `operator`, let type) = self else { return false }
      return `operator` == comparison.operator && type == comparison.constant.type
        && path.parts == comparison.parts && path.variable == nil
    }
  }

  private let steps: [Step]

  private init(_ steps: [Step]) { self.steps = steps }

  /// The types of the constants.
  package var types: [PropertyType] {
    steps.compactMap { if case .comparison(_, _, let type) = $0 { type } else { nil } }
  }

  /// The shape of a condition, and its constants in the order of their parameters; nil for other
  /// conditions.
  package static func of(
    _ predicate: QueryPredicate
  ) -> (shape: QueryShape, constants: [StoredValue])? {
    var walk = Walk()
    guard walk.add(predicate) else { return nil }
    return (QueryShape(walk.steps), walk.constants)
  }

  /// The constants of a condition of this shape; nil for any other condition.
  ///
  /// To compare takes a third of making a shape.
  package func constants(of predicate: QueryPredicate) -> [StoredValue]? {
    var walk = Walk(along: steps)
    return walk.add(predicate) && walk.isComplete ? walk.constants : nil
  }

  /// The constants of conditions of this shape; nil for any others.
  package func constants(of conditions: PropertyConditions) -> [StoredValue]? {
    let count = conditions.count
    if count == 1 {
      return steps.count == 1 && steps[0].is(conditions.first) ? conditions.constants : nil
    }
    guard steps.count == count + 1, steps[0].is(conditions.first), steps[count] == .and(count),
      conditions.others.indices.allSatisfy({ steps[$0 + 1].is(conditions.others[$0]) })
    else { return nil }
    return conditions.constants
  }

  /// A way through a condition that makes steps, or compares them with those of a shape.
  private struct Walk {
    private(set) var steps: [Step] = []
    private(set) var constants: [StoredValue] = []
    private let known: [Step]?
    private var count = 0

    /// More comparisons aren't asked often enough to be remembered.
    private static let mostComparisons = 8

    init(along known: [Step]? = nil) {
      self.known = known
      if let known { constants.reserveCapacity((known.count + 1) / 2) }
    }

    /// Whether all steps of the shape were taken.
    var isComplete: Bool { count == known?.count }

    mutating func add(_ predicate: QueryPredicate) -> Bool {
      switch predicate {
      case .comparison(let comparison): add(comparison)
      case .and(let parts): add(parts) && take(.and(parts.count))
      case .or(let parts): add(parts) && take(.or(parts.count))
      case .not(let part): add(part) && take(.not)
      case .constant, .invalid: false
      }
    }

    private mutating func take(_ step: Step) -> Bool {
      guard let known else {
        steps.append(step)
        return true
      }
      guard count < known.count, known[count] == step else { return false }
      count += 1
      return true
    }

    private mutating func add(_ parts: [QueryPredicate]) -> Bool {
      // Without parts it is a constant.
      guard !parts.isEmpty, parts.count <= Self.mostComparisons else { return false }
      for part in parts where !add(part) { return false }
      return true
    }

    private mutating func add(_ comparison: QueryComparison) -> Bool {
      guard constants.count < Self.mostComparisons, comparison.quantifier == nil,
        comparison.options.isEmpty, comparison.operator.isComparison,
        case .path(let path) = comparison.left, case .value(let value) = comparison.right,
        let constant = UsualConstant(value),
        take(.comparison(path, comparison.operator, constant.type))
      else { return false }
      constants.append(constant.stored)
      return true
    }
  }
}
