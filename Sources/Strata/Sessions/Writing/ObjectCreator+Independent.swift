import Foundation
import StrataStorage

extension ObjectCreator {
  /// The value with the contents of embedded objects and collections of this realm in their place;
  /// nil when it has none.
  ///
  /// The new object may replace them, and would find them empty: the value of a property may be
  /// another property of the same object, or a part of it.
  func independent(_ value: Any?) throws(RealmError) -> Any? {
    switch unwrapped(value) {
    case nil, is String, is Data, is [Int], is [String], is [Double], is any _CustomPersistable:
      return nil
    case let object as ObjectBase:
      guard object is EmbeddedObject, object.managedContext === session else { return nil }
      return try contents(of: object)
    case let any as AnyRealmValue:
      // A bare nil would be an `AnyRealmValue`, too.
      guard any.isNested else { return Any?.none }
      return try any.mapObjects { .object($0) }
    case let dictionary as [String: Any?]:
      var result: [String: Any?]?
      for (key, value) in dictionary {
        guard let value = try independent(value) else { continue }
        if result == nil { result = dictionary }
        result?.updateValue(value, forKey: key)
      }
      return result
    case let array as [Any?]:
      var result: [Any?]?
      for (index, value) in array.enumerated() {
        guard let value = try independent(value) else { continue }
        if result == nil { result = array }
        result?[index] = value
      }
      return result
    case let collection as any PersistedCollection:
      try collection.checkIsThere()
      return try elements(of: collection)
    case let sequence as any Sequence:
      return try elements(of: sequence)
    default: return nil
    }
  }

  private func contents(of object: ObjectBase) throws(RealmError) -> Any? {
    let info = try ClassInfo.of(type(of: object))
    var contents: [String: Any?] = [:]
    for (slot, value) in try info.values(from: object) where !info.properties[slot].isComputed {
      contents.updateValue(try independent(value) ?? value, forKey: info.properties[slot].name)
    }
    return contents
  }

  private func elements(of value: Any) throws(RealmError) -> Any? {
    if let entries = mapEntries(value) {
      var elements: [(String, Any?)] = []
      for (key, value) in entries { elements.append((key, try independent(value) ?? value)) }
      return MapEntries(elements)
    }
    guard let values = sequence(value) else { return nil }
    var elements: [Any?] = []
    for value in values { elements.append(try independent(value) ?? value) }
    return elements
  }
}
