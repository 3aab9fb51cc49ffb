import StrataStorage

extension ObjectCreator {
  /// Sets of a link, a collection or an `AnyRealmValue` what differs, if anything does: observers
  /// hear of that alone. False where the value is to be set as a whole.
  ///
  /// - Parameter value: The value with objects of this realm, or new ones, in it.
  func setDifference(
    _ value: Any?, _ slot: _PropertySlot, _ property: Property, of object: ObjectBase,
    _ info: ClassInfo
  ) throws(RealmError) -> Bool {
    if property.collection != nil { return try setElements(value, slot, of: object, info) }
    let link = object.linkRow(slot)
    let any = property.type == .any ? AnyRealmValue.converting(value) : nil
    if any == AnyRealmValue.none || unwrapped(value) == nil {
      return link == nil && unwrapped(info.dynamicValue(slot, of: object)) == nil
    }
    if let target = any?.object(Object.self) ?? value as? ObjectBase {
      let className = type(of: target).className()
      return target.managedContext === session && link?.row == target._rowID
        && (link?.className ?? property.objectClassName) == className
    }
    guard link == nil, let any, let new = try storedElement(any) else { return false }
    return try info.storedElement(slot, of: object).isIdentical(to: new)
  }

  /// What the file has of a value; nil where an object in it has no row yet.
  private func storedElement(_ any: AnyRealmValue) throws(RealmError) -> _StoredElement? {
    guard any.isNested else { return any.storedElement }
    var isPresent = true
    let nested = try any.nested { object in
      if object.managedContext !== session { isPresent = false }
      return _StoredElement(
        .integer(object._rowID),
        type: _StoredElement.typeName(ofLinkTo: type(of: object).className()))
    }
    return isPresent ? _StoredElement(nested) : nil
  }

  private func setElements(
    _ value: Any?, _ slot: _PropertySlot, of object: ObjectBase, _ info: ClassInfo
  ) throws(RealmError) -> Bool {
    guard let rows = session.rows(of: object, slot) as? SessionCollection,
      !rows.hasEmbeddedObjects
    else { return false }
    defer { withExtendedLifetime(object) {} }
    let base = Unmanaged.passUnretained(object).toOpaque()
    guard let collection = info.accessors[slot].collection?(base),
      let new = try type(of: collection).stored(value, in: rows)
    else { return false }
    rows.become(new)
    return true
  }
}
