import StrataQuery

extension QueryPredicate {
  /// The condition that a format string describes; an invalid one if it describes none.
  ///
  /// - Parameter arguments: Swift values for the placeholders.
  init(format: String, arguments: [Any]) {
    do throws(PredicateProblem) {
      self = try QueryFormat.parse(format, arguments.map { QueryOperand(argument: $0) })
    } catch {
      self = .invalid(error)
    }
  }
}
