/// The old properties in an expression of `transform`, by the names of their columns.
public struct DynamicTransformSource {
  /// A property of the old objects.
  public subscript(propertyName: String) -> DynamicTransformValue {
    DynamicTransformValue(.property(propertyName, nil))
  }
}
