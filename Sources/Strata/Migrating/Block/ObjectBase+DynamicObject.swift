import IssueReporting
import StrataStorage

extension ObjectBase {
  /// The objects of a list, for code that doesn't know their class.
  ///
  /// Of an object in no realm it is a copy. A property that is not a list of objects is a mistake:
  /// `write` throws it, anywhere else it is reported through `IssueReporting`; it gives an empty
  /// list.
  public func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    DynamicObject(showing: self).dynamicList(propertyName)
  }

  /// The objects of a set, for code that doesn't know their class.
  ///
  /// See ``dynamicList(_:)``.
  public func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    DynamicObject(showing: self).dynamicMutableSet(propertyName)
  }

  /// The objects of a map, for code that doesn't know their class.
  ///
  /// See ``dynamicList(_:)``.
  public func dynamicMap(_ propertyName: String) -> Map<String, DynamicObject?> {
    DynamicObject(showing: self).dynamicMap(propertyName)
  }

  /// A mistake that `write` throws; outside of one it is reported.
  func noteMistake(_ message: String) {
    if let context = managedContext {
      context.note(RealmError(.fail, message))
    } else {
      reportIssue("\(message)")
    }
  }

  /// A property as a dynamic object shows it: objects are dynamic, too, and a number is as it is.
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

  /// A property by its name, as a type that is known; nil when it is nil, and for another type,
  /// which is a mistake.
  func typedValue<Value: _Scalar>(_ name: String) -> Value? {
    guard let value = unwrapped(unboxedValue(name)) else { return nil }
    if let value = Value._convert(value) { return value }
    noteMistake(
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

/// A value that may be, or contain, dynamic objects of a realm, with the objects in their places.
func withoutDynamicObjects(_ value: Any?) -> Any? {
  switch unwrapped(value) {
  case let dynamic as DynamicObject: dynamic.object ?? dynamic
  case let entries as [String: Any?]: entries.mapValues(withoutDynamicObjects)
  case let map as Map<String, DynamicObject?>:
    MapEntries(map.map { ($0.key, withoutDynamicObjects($0.value)) })
  case let values as [Any?]: values.map(withoutDynamicObjects)
  case let list as List<DynamicObject>: list.map { withoutDynamicObjects($0) }
  case let set as MutableSet<DynamicObject>: set.map { withoutDynamicObjects($0) }
  case let results as any _DynamicObjects: results.dynamicObjects.map { withoutDynamicObjects($0) }
  case let value: value
  }
}

/// Results of dynamic objects, which belong to a later room.
protocol _DynamicObjects {
  var dynamicObjects: [DynamicObject] { get }
}
