import Foundation
import StrataQuery

extension QueryPredicate {
  /// Parses a format string; an invalid condition if the format is invalid.
  ///
  /// - Parameter arguments: Swift values for the placeholders.
  init(format: String, arguments: [Any]) {
    do throws(PredicateProblem) {
      self = try QueryFormat.parse(format, arguments.map { QueryOperand(argument: $0) })
    } catch {
      self = .invalid(error)
    }
  }

  /// Converts a predicate into a condition.
  ///
  /// Supports compound and constant predicates, and predicates with a format. A block can't be read
  /// and becomes an invalid condition.
  init(_ predicate: NSPredicate) {
    do throws(PredicateProblem) {
      self = try Self.reading(predicate, depth: 0)
    } catch {
      self = .invalid(error)
    }
  }

  /// - Parameter depth: The number of enclosing predicates.
  static func reading(
    _ predicate: NSPredicate, depth: Int
  ) throws(PredicateProblem) -> QueryPredicate {
    guard depth <= QueryDepth.maxDepth else { throw .tooDeep(QueryDepth.maxDepth) }
    #if canImport(Darwin)
      if let comparison = predicate as? NSComparisonPredicate {
        return try PredicateReader(depth: depth).condition(comparison)
      }
    #else
      if let condition = FormatPredicates.condition(of: predicate) { return condition }
    #endif
    if let compound = predicate as? NSCompoundPredicate {
      return try reading(compound, depth: depth)
    }
    if predicate == NSPredicate(value: true) { return .constant(true) }
    if predicate == NSPredicate(value: false) { return .constant(false) }
    throw .unreadable
  }

  private static func reading(
    _ compound: NSCompoundPredicate, depth: Int
  ) throws(PredicateProblem) -> QueryPredicate {
    var parts: [QueryPredicate] = []
    // The array's elements are of type `Any` in Apple's Foundation.
    for part in compound.subpredicates as [Any] {
      guard let part = part as? NSPredicate else { throw .unreadable }
      parts.append(try reading(part, depth: depth + 1))
    }
    switch compound.compoundPredicateType {
    case .and: return .and(parts)
    case .or: return .or(parts)
    case .not:
      guard let part = parts.first else { throw .unreadable }
      return .not(part)
    @unknown default: throw .unreadable
    }
  }
}

extension PredicateProblem {
  /// The problem of a predicate that can't be inspected.
  static var unreadable: PredicateProblem {
    var text =
      "Only support compound, comparison, and constant predicates. Use 'filter { … }', which reads "
      + "all objects."
    #if !canImport(Darwin)
      text += " A copy of a predicate with a format is a block too."
    #endif
    return PredicateProblem(text)
  }
}
