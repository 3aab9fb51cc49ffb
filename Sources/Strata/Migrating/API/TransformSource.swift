/// The old properties in an expression of `transform`, as the class that the file was written with
/// declares them.
@dynamicMemberLookup
public struct TransformSource<Old: ObjectBase> {
  init(_: Old.Type) {}

  /// A property of the old objects.
  public subscript<Value: _Scalar>(
    dynamicMember keyPath: KeyPath<Old, Value>
  ) -> TransformValue<Value> {
    guard let property = persistedProperty(of: keyPath) else { return TransformValue(.unpersisted) }
    return TransformValue(
      .property(
        property.columnName, .init(Value._propertyType, isOptional: Value._isOptional)))
  }
}
