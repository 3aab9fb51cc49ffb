import IssueReporting

extension ObjectBase {
  /// What a path of names leads to: `"dog.name"`, `"dogs.name"`, `"dogs.@count"`.
  ///
  /// Behind a link that is nil it is nil; behind a collection it is what
  /// ``RealmCollection/value(forKeyPath:)`` gives. A name that leads nowhere is reported through
  /// `IssueReporting`, and nil.
  public func value(forKeyPath keyPath: String) -> Any? {
    boxedNumbers(unboxedValue(atPath: keyPath))
  }

  /// The value that `value(forKeyPath:)` gives, with numbers as they are.
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

  /// Sets the property at the end of a path of names: `"dog.name"`; of a collection, of each of its
  /// objects.
  ///
  /// Behind a link that is nil there is nothing to set. A value that doesn't fit is a mistake as
  /// with `object[name] = value`, and a name that leads nowhere is reported.
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

/// A thing that a path of names can go on from: an object, or a collection.
protocol KeyValueReading {
  func unboxedValue(atPath keyPath: String) -> Any?
}

/// A thing that a path of names can go on from to set a property.
protocol KeyValueWriting {
  func setValue(_ value: Any?, forKeyPath keyPath: String)
}

extension ObjectBase: KeyValueReading, KeyValueWriting {}

/// The first name of a path, and what is behind its point; nil at the end.
func firstName(of keyPath: String) -> (name: String, rest: String?) {
  guard let point = keyPath.firstIndex(of: ".") else { return (keyPath, nil) }
  return (String(keyPath[..<point]), String(keyPath[keyPath.index(after: point)...]))
}
