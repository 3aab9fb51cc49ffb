@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void

  @preconcurrency
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    // As in SwiftUI, whoever uses a binding is where its closures have to run.
    read = unsafeBitCast(get, to: (() -> Value).self)
    write = unsafeBitCast(set, to: ((Value) -> Void).self)
  }

  init(reading: @escaping () -> Value, writing: @escaping (Value) -> Void) {
    read = reading
    write = writing
  }

  public static func constant(_ value: Value) -> Binding {
    Binding(reading: { value }, writing: { _ in })
  }

  public init(projectedValue: Binding) { self = projectedValue }

  /// A binding to what is there; nil where there is nothing.
  public init?(_ base: Binding<Value?>) {
    guard let first = base.wrappedValue else { return nil }
    self.init(reading: { base.wrappedValue ?? first }, writing: { base.wrappedValue = $0 })
  }

  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  public var projectedValue: Binding { self }

  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    Binding<Subject> {
      wrappedValue[keyPath: keyPath]
    } writing: { value in
      wrappedValue[keyPath: keyPath] = value
    }
  }
}
