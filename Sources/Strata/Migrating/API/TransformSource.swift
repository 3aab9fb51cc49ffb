/// The old properties in a `transform` expression, as declared by the class with which the file was
/// written.
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

/// The new properties that `transform` sets.
@dynamicMemberLookup
public final class TransformTarget<New: ObjectBase> {
  private(set) var assignments: [TransformAssignment] = []

  init(_: New.Type) {}

  /// The new value of a property.
  public subscript<Value: _Scalar>(
    dynamicMember keyPath: KeyPath<New, Value>
  ) -> TransformValue<Value> {
    get { TransformValue(value(of: keyPath)) }
    set { set(keyPath, newValue.expression) }
  }

  /// The new value of an optional property.
  public subscript<Value: _Scalar & _OptionalPersistable>(
    dynamicMember keyPath: KeyPath<New, Value?>
  ) -> TransformValue<Value> {
    get { TransformValue(value(of: keyPath)) }
    set { set(keyPath, newValue.expression) }
  }

  /// Returns the expression that the property was set to before; without one, the migration fails.
  private func value<Value: _Scalar>(of keyPath: KeyPath<New, Value>) -> TransformExpression {
    let name = Self.name(keyPath)
    return assignments.last { $0.property == name }?.expression ?? .unset(name)
  }

  /// Returns the name of a property; empty if the key path isn't a property, which fails the
  /// migration.
  private static func name<Value: _Scalar>(_ keyPath: KeyPath<New, Value>) -> String {
    persistedProperty(of: keyPath)?.name ?? ""
  }

  private func set<Value: _Scalar>(
    _ keyPath: KeyPath<New, Value>, _ expression: TransformExpression
  ) {
    assignments.append(
      TransformAssignment(property: Self.name(keyPath), expression: expression))
  }
}

/// The old properties in a `transform` expression, by their column names.
public struct DynamicTransformSource {
  /// A property of the old objects.
  public subscript(propertyName: String) -> DynamicTransformValue {
    DynamicTransformValue(.property(propertyName, nil))
  }
}

/// The new properties that `transform` sets, by their names.
public final class DynamicTransformTarget {
  private(set) var assignments: [TransformAssignment] = []

  /// The new value of a property.
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
