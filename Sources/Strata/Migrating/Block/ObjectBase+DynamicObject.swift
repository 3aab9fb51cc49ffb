import IssueReporting
import StrataStorage

extension ObjectBase {
  /// Returns the objects of a list, for code that doesn't know their class.
  ///
  /// For an unmanaged object, returns a copy. A property that is not a list of objects is an error,
  /// and the result is an empty list. Inside of `write`, the transaction throws the error;
  /// elsewhere it is reported through `IssueReporting`.
  public func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    DynamicObject(showing: self).dynamicList(propertyName)
  }

  /// Returns the objects of a set, for code that doesn't know their class.
  ///
  /// See ``dynamicList(_:)``.
  public func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    DynamicObject(showing: self).dynamicMutableSet(propertyName)
  }

  /// Returns the objects of a map, for code that doesn't know their class.
  ///
  /// See ``dynamicList(_:)``.
  public func dynamicMap(_ propertyName: String) -> Map<String, DynamicObject?> {
    DynamicObject(showing: self).dynamicMap(propertyName)
  }

  /// Records an error that `write` throws. Outside of a transaction, reports it.
  func recordMistake(_ message: String) {
    if let context = managedContext {
      context.record(RealmError(.fail, message))
    } else {
      reportIssue("\(message)")
    }
  }

  /// Returns a property as a dynamic object shows it: linked objects are dynamic too, and numbers
  /// aren't boxed.
  func dynamicValue(_ name: String) -> Any? {
    guard let info = ClassInfo.reporting(type(of: self)), let slot = info.slot(name) else {
      return unboxedValue(name)
    }
    let property = info.properties[slot]
    guard property.type == .object || property.isComputed else {
      return unboxedValue(name)
    }
    guard let kind = property.collection else {
      if property.isComputed { return objects(in: unboxedValue(name)) }
      return unboxedValue(name)
    }
    if _state != 0 { _willRead(slot) }
    if let rows = managedContext?.rows(of: self, slot) {
      return switch kind {
      case .list: List<DynamicObject>(rows)
      case .set: MutableSet<DynamicObject>(rows)
      case .map: Map<String, DynamicObject?>(rows)
      }
    }
    return copy(unboxedValue(name), kind)
  }

  /// Returns a property with a known type; nil if the value is nil. A value of another type is an
  /// error and gives nil.
  func typedValue<Value: _Scalar>(_ name: String) -> Value? {
    guard let value = unwrapped(unboxedValue(name)) else { return nil }
    if let value = Value._convert(value) { return value }
    recordMistake(
      "'\(Self.className()).\(name)' is of type '\(objectSchema[name]?.type.rawValue ?? "unknown")' and "
        + "can't be read as '\(Value.self)'.")
    return nil
  }

  private func objects(in collection: Any?) -> [DynamicObject] {
    guard let sequence = collection as? any Sequence else { return [] }
    return sequence.compactMap { ($0 as? ObjectBase).map { DynamicObject(showing: $0) } }
  }

  private func copy(_ collection: Any?, _ kind: CollectionKind) -> Any {
    switch kind {
    case .list:
      let list = List<DynamicObject>()
      list.append(objectsIn: objects(in: collection))
      return list
    case .set:
      let set = MutableSet<DynamicObject>()
      set.insert(objectsIn: objects(in: collection))
      return set
    case .map:
      let map = Map<String, DynamicObject?>()
      for (key, value) in mapEntries(collection) ?? [] {
        map.updateValue((value as? ObjectBase).map { DynamicObject(showing: $0) }, forKey: key)
      }
      return map
    }
  }
}

/// Returns the value with dynamic objects of a realm replaced by the objects that they show.
///
/// Other collections stay what they are, because error texts show a value and its type.
func withoutDynamicObjects(_ value: Any?) -> Any? {
  let value = unwrapped(value)
  guard holdsDynamicObject(value) else { return value }
  return switch value {
  case let dynamic as DynamicObject: dynamic.object ?? dynamic
  case let entries as [String: Any?]: entries.mapValues(withoutDynamicObjects)
  case let map as Map<String, DynamicObject?>:
    MapEntries(map.map { ($0.key, withoutDynamicObjects($0.value)) })
  case let values as [Any?]: values.map(withoutDynamicObjects)
  case let list as List<DynamicObject>: list.map { withoutDynamicObjects($0) }
  case let set as MutableSet<DynamicObject>: set.map { withoutDynamicObjects($0) }
  case let results as any _DynamicObjects: results.dynamicObjects.map { withoutDynamicObjects($0) }
  default: value
  }
}

private func holdsDynamicObject(_ value: Any?) -> Bool {
  switch unwrapped(value) {
  case let entries as [String: Any?]: entries.values.contains(where: holdsDynamicObject)
  case let values as [Any?]: values.contains(where: holdsDynamicObject)
  case is DynamicObject, is Map<String, DynamicObject?>, is List<DynamicObject>,
    is MutableSet<DynamicObject>, is any _DynamicObjects:
    true
  default: false
  }
}

/// Results of dynamic objects, which a later folder of the library defines.
protocol _DynamicObjects {
  var dynamicObjects: [DynamicObject] { get }
}
