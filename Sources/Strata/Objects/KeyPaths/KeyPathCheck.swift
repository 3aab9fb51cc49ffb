import IssueReporting

/// A comparison of the value that a key path reads with the value that the property was set to.
struct KeyPathCheck<Root: ObjectBase> {
  let keyPath: PartialKeyPath<Root>
  let root: Root
  /// Whether the property belongs to the root itself, not to an object behind links or collections.
  let isDirect: Bool
  let object: ObjectBase
  let info: ClassInfo
  let slot: _PropertySlot

  var givesValueUnchanged: Bool {
    let type = info.valueTypes[slot]
    if keyPath.unwraps, let wrapped = (type as? any _OptionalProtocol.Type)?.wrapped,
      Swift.type(of: keyPath).valueType == wrapped
    {
      return givesUnwrapped(type)
    }
    if let type = type as? any (Persistable & RealmCollectionValue).Type {
      return givesSamples(of: type)
    }
    return givesCollection(of: type)
  }

  /// A closure that reads the key path as a value of a type; nil if the key path has another type.
  private func reader<Value>(_: Value.Type) -> (() -> Value?)? {
    if let typed = keyPath as? KeyPath<Root, Value> { return { root[keyPath: typed] } }
    if !isDirect, let typed = keyPath as? KeyPath<Root, Value?> { return { root[keyPath: typed] } }
    return nil
  }

  private func givesSamples<Value: Persistable & RealmCollectionValue>(of _: Value.Type) -> Bool {
    guard let read = reader(Value.self) else { return false }
    var hasSeenValue = false
    for sample in samples(of: Value.self) {
      do {
        try object.setValue(sample._dynamicElement, slot: slot, info)
      } catch {
        // The property is not of this type.
        return false
      }
      guard read() == sample else { return false }
      hasSeenValue = true
    }
    return hasSeenValue
  }

  /// Whether the key path returns each value except nil unchanged. For an optional that it unwraps.
  private func givesUnwrapped(_ type: any Persistable.Type) -> Bool {
    guard let type = type as? any RealmCollectionValue.Type else { return false }
    let samples = presentSamples(of: type)
    for sample in samples {
      do {
        try object.setValue(sample, slot: slot, info)
      } catch {
        return false
      }
      guard let sample = sample as? AnyHashable,
        unwrapped(object[info.properties[slot].name]) as? AnyHashable == sample,
        dynamicValue(root[keyPath: keyPath]) as? AnyHashable == sample
      else { return false }
    }
    return !samples.isEmpty
  }

  private func dynamicValue(_ value: Any) -> Any? {
    unwrapped((value as? any RealmCollectionValue)?._dynamicElement)
  }

  /// Whether the key path returns the collection itself, or an object of it. Collections in memory
  /// are compared by identity; linking objects have no value in memory.
  private func givesCollection<Value: Persistable>(of _: Value.Type) -> Bool {
    if let target = Value._objectType, isValue(of: target) { return true }
    guard let read = reader(Value.self) else { return false }
    if info.properties[slot].isComputed { return true }
    defer { withExtendedLifetime(object) {} }
    let base = Unmanaged.passUnretained(object).toOpaque()
    guard let collection = info.accessors[slot].dynamic(base) else { return false }
    return (read() as AnyObject?) === (collection as AnyObject)
  }

  private func isValue(of target: ObjectBase.Type) -> Bool {
    func isOptional<Target: ObjectBase>(_: Target.Type) -> Bool {
      type(of: keyPath).valueType == Target?.self
    }
    return type(of: keyPath).valueType == target || isOptional(target)
  }
}

/// Sample values of a type in the form of dynamic access, without nil.
private func presentSamples(of type: any RealmCollectionValue.Type) -> [Any] {
  func present<Value: RealmCollectionValue>(_: Value.Type) -> [Any] {
    samples(of: Value.self).compactMap { unwrapped($0._dynamicElement) }
  }
  if let link = type as? any LinkValue.Type { return [link.linkedClass.init()] }
  let wrapped = (type as? any _OptionalProtocol.Type)?.wrapped as? any RealmCollectionValue.Type
  let subject: any RealmCollectionValue.Type = wrapped ?? type
  return present(subject)
}

/// A sample value of a type in the form of dynamic access.
func presentSample(of type: any RealmCollectionValue.Type) -> Any? {
  presentSamples(of: type).first
}

extension _OptionalProtocol {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}

private func samples<Value: RealmCollectionValue>(of _: Value.Type) -> [Value] {
  func all<Case: PersistableEnum>(_: Case.Type) -> [Value] {
    Case.allCases.compactMap { $0 as? Value }
  }
  if let type = Value.self as? any PersistableEnum.Type { return all(type) }
  if let type = Value.self as? any LinkValue.Type {
    return [Value._zeroElement(), type.linkedClass.init() as? Value].compactMap { $0 }
  }
  let rows = EmptyRows()
  let values: [(StoredValue, PropertyType?)] = [
    (.integer(1), .int), (.integer(57), .int), (.integer(0), .int), (.real(1.5), .double),
    (.real(-0.25), .double), (.text("b"), .string), (.text("A text"), .string),
    (.text("2001-02-03 04:05:06.500000000"), .date),
    (.text("0123456789ABCDEF01234567"), .objectId), (.text("0123456789abcdef01234567"), .objectId),
    (.text("01234567-89AB-CDEF-0123-456789ABCDEF"), .UUID), (.text("12.5"), .decimal128),
    (.blob([1, 2]), .data), (.null, nil),
  ]
  let samples = values.compactMap {
    Value._element(_ReadElement(_StoredElement($0, type: $1?.rawValue)), in: rows)
  }
  // A custom type may accept none of these values.
  func zero<Custom: _CustomPersistable>(_: Custom.Type) -> Value? { Custom.zeroIfAny as? Value }
  guard let custom = Value.self as? any _CustomPersistable.Type else { return samples }
  return samples + [zero(custom)].compactMap { $0 }
}

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
