import StrataQuery

extension QueryPredicate {
  /// The condition that a format string describes; an invalid one if it describes none.
  ///
  /// - Parameter arguments: Swift values for the placeholders.
  init(format: String, arguments: [Any]) {
    self = QueryContent(format: format, arguments: arguments).predicate
  }
}

extension QueryContent {
  /// The same without a tree, where the condition needs none.
  init(format: String, arguments: [Any]) {
    do throws(PredicateProblem) {
      let arguments = arguments.map { QueryOperand(argument: $0) }
      switch try QueryFormat.condition(format, arguments) {
      case .conditions(let conditions): self.init(.comparisons(conditions))
      case .predicate(let predicate): self.init(.condition(predicate))
      }
    } catch {
      self = .invalid(error)
    }
  }
}
