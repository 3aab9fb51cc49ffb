/// The new properties that `transform` sets, by their names.
public final class DynamicTransformTarget {
  private(set) var assignments: [TransformAssignment] = []

  /// What a property becomes.
  public subscript(propertyName: String) -> DynamicTransformValue {
    get {
      let last = assignments.last { $0.property == propertyName }
      return DynamicTransformValue(last?.expression ?? .unset(propertyName))
    }
    set {
      assignments.append(
        TransformAssignment(property: propertyName, expression: newValue.expression))
    }
  }
}
