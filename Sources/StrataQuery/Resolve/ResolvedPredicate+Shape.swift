import StrataSchema

extension ResolvedPredicate {
  /// Whether all conditions of a shape, of which this is one, have the same SQL: each constant is
  /// compared as it is, with a property of just its type which isn't in a collection.
  package func hasSQL(ofAll shape: QueryShape) -> Bool { comparedTypes == shape.types }

  /// The types of the properties that constants are compared with; nil where anything else is.
  private var comparedTypes: [PropertyType]? {
    switch self {
    case .constant: return nil
    case .and(let parts), .or(let parts):
      var types: [PropertyType] = []
      for part in parts {
        guard let some = part.comparedTypes else { return nil }
        types += some
      }
      return types
    case .not(let part): return part.comparedTypes
    case .comparison(let comparison): return comparison.comparedType.map { [$0] }
    }
  }
}

extension ResolvedComparison {
  fileprivate var comparedType: PropertyType? {
    guard case .path(let path) = left, !path.hasCollection, path.nested.isEmpty,
      case .property(let property) = path.target,
      case .constant(.value(let value, let type)) = right, type == property.type
    else { return nil }
    return switch (type, value) {
    case (.string, .text), (.int, .integer), (.double, .real), (.bool, .integer): type
    default: nil
    }
  }
}
