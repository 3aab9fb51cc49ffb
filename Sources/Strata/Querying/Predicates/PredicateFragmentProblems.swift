import StrataQuery

extension PredicateProblem {
  /// Returns the name of a kind of expression: `PredicateExpressions.Arithmetic<…>` is
  /// `Arithmetic`.
  private static func name(_ type: Any.Type) -> String {
    let whole = "\(type)"
    return String(whole.prefix { $0 != "<" }.split(separator: ".").last ?? "")
  }

  static func unsupportedExpression(_ type: Any.Type) -> PredicateProblem {
    PredicateProblem(
      "'\(name(type))' in a '#Predicate' can't be asked of a file. Compute the value before the "
        + "predicate, or use 'filter { … }', which reads all objects.")
  }

  static func unsupportedKeyPath(_ output: Any.Type, of root: Any.Type) -> PredicateProblem {
    PredicateProblem(
      "A key path of '\(root)' with values of type '\(output)' can't be asked of a file. Query "
        + "'@Persisted' properties, and 'count' and 'isEmpty' of collections.")
  }

  static func noCondition(_ type: Any.Type) -> PredicateProblem {
    PredicateProblem(
      "'\(name(type))' in a '#Predicate' is no condition. Compare it with a value; write '?? false' "
        + "behind a condition on an optional.")
  }

  static func noValue(_ type: Any.Type) -> PredicateProblem {
    PredicateProblem(
      "'\(name(type))' in a '#Predicate' can't be a value here. Use a property or a constant.")
  }

  static var comparedConstants: PredicateProblem {
    PredicateProblem(
      "Two constants are compared in a '#Predicate'. Compare them before it, or compare one of them "
        + "with a property.")
  }

  static var severalConditionsOnValues: PredicateProblem {
    PredicateProblem(
      "'contains { … }' and 'allSatisfy { … }' of a collection of values take one comparison of the "
        + "element in a '#Predicate'. Use one of them for each comparison.")
  }

  static var filteredValues: PredicateProblem {
    PredicateProblem(
      "'filter { … }' in a '#Predicate' is for collections of objects. Use 'contains { … }' or "
        + "'allSatisfy { … }' for values.")
  }
}
