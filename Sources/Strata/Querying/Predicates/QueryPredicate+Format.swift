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
}
