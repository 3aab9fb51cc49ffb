import IssueReporting

extension ObjectBase {
  /// The value at a path of names: `"dog.name"`, `"dogs.name"`, `"dogs.@count"`.
  ///
  /// The value is nil if a link on the way is nil. After a collection, the rest of the path is read
  /// by ``RealmCollection/value(forKeyPath:)``. An unknown name is reported through
  /// `IssueReporting`, and returns nil.
  public func value(forKeyPath keyPath: String) -> Any? {
    boxedNumbers(unboxedValue(atPath: keyPath))
  }

  /// The value at a path of names, as `value(forKeyPath:)` returns it, but without boxed numbers.
  func unboxedValue(atPath keyPath: String) -> Any? {
    let (name, rest) = firstName(of: keyPath)
    let value = unboxedValue(name)
    guard let rest, let value = unwrapped(value) else { return value }
    guard
      let next = value as? any KeyValueReading
        ?? (value as? any RealmCollectionValue)?._dynamicElement as? any KeyValueReading
    else {
      reportIssue(
        "The key path '\(keyPath)' leads nowhere: '\(Self.className()).\(name)' is a value, which has "
          + "no '\(rest)'. End the path at '\(name)'.")
      return nil
    }
    return next.unboxedValue(atPath: rest)
  }

  /// Sets the property at the end of a path of names, such as `"dog.name"`. After a collection,
  /// sets it in each of the collection's objects.
  ///
  /// Does nothing if a link on the way is nil. A value that doesn't fit is an error, as with
  /// `object[name] = value`, and an unknown name is reported.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    let (name, rest) = firstName(of: keyPath)
    guard let rest else { return setValue(value, forKey: name) }
    guard let next = unwrapped(unboxedValue(name)) else { return }
    guard let next = next as? any KeyValueWriting else {
      reportIssue(
        "The key path '\(keyPath)' leads nowhere: '\(Self.className()).\(name)' has no '\(rest)' that "
          + "can be set.")
      return
    }
    next.setValue(value, forKeyPath: rest)
  }
}

/// A step of a path of names that has a next step: an object, or a collection.
protocol KeyValueReading {
  func unboxedValue(atPath keyPath: String) -> Any?
}

/// A step of a path of names that can set a property: an object, or a collection.
protocol KeyValueWriting {
  func setValue(_ value: Any?, forKeyPath keyPath: String)
}

extension ObjectBase: KeyValueReading, KeyValueWriting {}

/// The first name of a path and the rest after the dot; nil at the end.
func firstName(of keyPath: String) -> (name: String, rest: String?) {
  guard let point = keyPath.firstIndex(of: ".") else { return (keyPath, nil) }
  return (String(keyPath[..<point]), String(keyPath[keyPath.index(after: point)...]))
}
