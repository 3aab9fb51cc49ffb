/// The new properties that `transform` sets.
@dynamicMemberLookup
public final class TransformTarget<New: ObjectBase> {
  private(set) var assignments: [TransformAssignment] = []

  init(_: New.Type) {}

  /// What a property becomes.
  public subscript<Value: _Scalar>(
    dynamicMember keyPath: KeyPath<New, Value>
  ) -> TransformValue<Value> {
    get { TransformValue(value(of: keyPath)) }
    set { set(keyPath, newValue.expression) }
  }

  /// What a property that may be nil becomes.
  public subscript<Value: _Scalar & _OptionalPersistable>(
    dynamicMember keyPath: KeyPath<New, Value?>
  ) -> TransformValue<Value> {
    get { TransformValue(value(of: keyPath)) }
    set { set(keyPath, newValue.expression) }
  }

  /// What the property was set to before; otherwise the migration fails.
  private func value<Value: _Scalar>(of keyPath: KeyPath<New, Value>) -> TransformExpression {
    let name = Self.name(keyPath)
    return assignments.last { $0.property == name }?.expression ?? .unset(name)
  }

  /// Empty for what is not a property, which fails the migration.
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
