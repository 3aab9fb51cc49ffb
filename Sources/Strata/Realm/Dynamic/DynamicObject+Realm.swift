public import Dispatch
import IssueReporting
import StrataStorage

extension DynamicObject: ThreadConfined {
  /// The realm of the object; nil in a migration, and for a deleted object.
  public var realm: Realm? { object?.realm }

  public func _confined() -> _Confined? {
    object?._confined()?.map { (object: ObjectBase) in DynamicObject(showing: object) }
  }
}

extension DynamicObject {
  /// Calls a closure after each change of the object.
  ///
  /// Like `observe(keyPaths:on:_:)` of the object itself. In a migration, the call is reported
  /// through `IssueReporting`, and the token is inactive.
  /// - Parameters:
  ///   - keyPaths: The names of the properties to observe; nil for all.
  ///   - queue: The queue on which the closure is called; nil for the isolation of the realm.
  ///   - block: A closure that receives the changes, or the deletion.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<DynamicObject>) -> Void
  ) -> NotificationToken {
    guard let object else {
      reportIssue("\(ErrorText.unmanagedObjectNotifications)")
      return NotificationToken()
    }
    return object.observe(keyPaths: keyPaths, on: queue) { change in
      switch change {
      case .change(let object, let properties):
        block(.change(DynamicObject(showing: object), properties))
      case .deleted: block(.deleted)
      case .error(let error): block(.error(error))
      }
    }
  }

  /// Returns the value at a key path: `"dog.name"`. See `value(forKeyPath:)` of objects.
  public func value(forKeyPath keyPath: String) -> Any? {
    boxedNumbers(unboxedValue(atPath: keyPath))
  }

  func unboxedValue(atPath keyPath: String) -> Any? {
    let (name, rest) = firstName(of: keyPath)
    if let object { return dynamic(object.unboxedValue(atPath: keyPath)) }
    guard let rest else { return unboxedValue(name) }
    return (unboxedValue(name) as? any KeyValueReading)?.unboxedValue(atPath: rest)
  }

  private func dynamic(_ value: Any?) -> Any? {
    (value as? ObjectBase).map { DynamicObject(showing: $0) } ?? value
  }
}

extension DynamicObject: KeyValueReading {}
