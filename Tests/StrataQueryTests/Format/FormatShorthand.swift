import StrataQuery
import TestKit

/// A path of names and operations, such as `dogs.@avg.age`.
func path(_ text: String, variable: String? = nil) -> QueryOperand {
  .path(queryPath(text, variable: variable))
}

func queryPath(_ text: String, variable: String? = nil) -> QueryPath {
  QueryPath(
    text.split(separator: ".").map { name in
      switch name {
      case "@allKeys": .keys
      case "@allValues": .values
      default: QueryAggregate(rawValue: String(name)).map { .operation($0) } ?? .property("\(name)")
      }
    }, variable: variable)
}

/// A comparison of a path with a constant.
func compare(
  _ left: String, _ operator: QueryOperator, _ right: QueryValue, _ options: QueryOptions = [],
  _ quantifier: QueryQuantifier? = nil
) -> QueryPredicate {
  compare(path(left), `operator`, .value(right), options, quantifier)
}

/// A comparison of two operands.
func compare(
  _ left: QueryOperand, _ operator: QueryOperator, _ right: QueryOperand,
  _ options: QueryOptions = [], _ quantifier: QueryQuantifier? = nil
) -> QueryPredicate {
  .comparison(
    QueryComparison(left, `operator`, right, options: options, quantifier: quantifier))
}

/// The mistake in a format string; nil if there isn't any.
func mistake(in format: String, _ arguments: [QueryOperand] = []) -> PredicateProblem? {
  do throws(PredicateProblem) {
    _ = try QueryFormat.parse(format, arguments)
    return nil
  } catch {
    return error
  }
}
