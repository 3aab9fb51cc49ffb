import StrataSchema

/// A property, also behind links, that is compared with a constant of a usual type: the condition
/// that programs ask most.
///
/// It is found among known shapes as it is. The tree, of which each part is an allocation, is made
/// only where it is needed.
package final class PropertyComparison: Sendable {
  /// The parts of the path from the object that is asked about.
  let parts: [QueryPart]
  let `operator`: QueryOperator
  let type: PropertyType
  private let value: QueryValue
  /// The constant alone, as statements take their parameters.
  let constants: [StoredValue]

  /// Nil for a comparison that has no shape.
  ///
  /// - Parameter path: One without elements of collections.
  package init?(_ path: QueryPath, _ operator: QueryOperator, _ value: QueryValue) {
    guard path.variable == nil, `operator`.isComparison,
      let (constant, type) = value.ofUsualType
    else { return nil }
    parts = path.parts
    self.operator = `operator`
    self.type = type
    self.value = value
    constants = [constant]
  }

  /// The same condition as a tree.
  package var predicate: QueryPredicate {
    .comparison(QueryComparison(.path(QueryPath(parts)), `operator`, .value(value)))
  }
}
