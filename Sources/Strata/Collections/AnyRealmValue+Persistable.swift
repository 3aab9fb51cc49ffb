import StrataStorage

extension AnyRealmValue: Persistable {
  public static var _propertyType: PropertyType { .any }
  public static var _isOptional: Bool { true }
  public static func _zero() -> AnyRealmValue { .none }

  public static func _managed(
    _ stored: AnyRealmValue, of owner: ObjectBase, _ slot: _PropertySlot
  ) -> AnyRealmValue {
    guard let context = owner.managedContext(slot) else { return stored }
    guard let link = owner.linkRow(slot) else {
      return stored.isNested ? managedNested(stored, of: owner, slot) : stored
    }
    guard let className = link.className,
      let object = context.linkedObject(className: className, row: link.row) as? Object
    else { return .none }
    return .object(object)
  }

  /// The live collection of a property; `.none` for a damaged one.
  private static func managedNested(
    _ stored: AnyRealmValue, of owner: ObjectBase, _ slot: _PropertySlot
  ) -> AnyRealmValue {
    guard let carried = stored.nestedRows as? CarriedRows else { return stored }
    let holder = PropertyHolder.of(owner, slot, carried.carried)
    guard let top = holder.top else { return .none }
    return AnyRealmValue(nested: NestedRows(holder, top), typeName: top.kind.rawValue) ?? .none
  }

  public static func _set(_ value: AnyRealmValue, of owner: ObjectBase, _ slot: _PropertySlot)
    -> Bool
  {
    guard let context = owner.managedContext else { return false }
    if value.isNested { return setNested(value, of: owner, slot, context) }
    PropertyHolder.end(owner, slot)
    guard case .object(let object) = value else {
      owner.setLinkRow(slot, nil)
      return false
    }
    context.setLink(slot, of: owner, to: object)
    return true
  }

  private static func setNested(
    _ value: AnyRealmValue, of owner: ObjectBase, _ slot: _PropertySlot, _ context: ManagedContext
  ) -> Bool {
    if let rows = value.nestedRows as? NestedRows, let holder = rows.holder as? PropertyHolder,
      holder.owner == owner, holder.slot == slot, rows.node === holder.top, !rows.isInvalidated
    {
      return true
    }
    do throws(RealmError) {
      let nested = try value.nested { object throws(RealmError) in
        try context.element(linkingTo: object, from: owner, slot)
      }
      PropertyHolder.end(owner, slot)
      // Looking at objects in the value may have written what was pending.
      guard owner._willWrite(slot), let info = ClassInfo.reporting(Swift.type(of: owner)) else {
        return true
      }
      owner.setLinkRow(slot, nil)
      info.accessors[slot].setNested?(
        Unmanaged.passUnretained(owner).toOpaque(), _StoredElement(nested))
    } catch {
      context.note(error)
    }
    return true
  }
}

extension AnyRealmValue: RealmCollectionValue {
  public typealias PersistedType = AnyRealmValue
  public static var _elementType: PropertyType { .any }
  public static var _elementIsOptional: Bool { true }
  public static var _elementClass: ObjectBase.Type? { nil }

  public static func _element(
    _ element: _ReadElement, in rows: _CollectionRows
  ) -> AnyRealmValue? {
    let stored = element.stored
    if let value = AnyRealmValue(stored) { return value }
    if let nested = element.nested {
      return AnyRealmValue(nested: nested, typeName: stored.type)
    }
    if let object = rows.object(stored) as? Object { return .object(object) }
    // An object whose class this program lacks is not a mistake.
    if let className = stored.linkedClassName, case .integer = stored.value,
      !rows.hasClass(className)
    {
      return AnyRealmValue.none
    }
    return nil
  }

  public static func _zeroElement() -> AnyRealmValue { .none }

  public func _stored(in rows: _CollectionRows) throws(RealmError) -> _StoredElement {
    if case .object(let object) = self { return try rows.row(of: object) }
    if isNested {
      guard rows.holdsNested else { throw RealmError(.fail, ErrorText.nestedInSet) }
      return _StoredElement(
        try nested(level: rows.nestingLevel) { object throws(RealmError) in
          try rows.row(of: object)
        })
    }
    if let stored = storedElement { return stored }
    guard rows.nestingLevel > 0 else {
      throw RealmError(.fail, ErrorText.unstorableElement(of: unstorableType))
    }
    return _StoredElement(
      try nested(level: rows.nestingLevel) { object throws(RealmError) in try rows.row(of: object) }
    )
  }

  /// The type of a value that SQLite can't store.
  var unstorableType: PropertyType {
    if case .date = self { .date } else { .double }
  }

  public static func _convertElement(_ value: Any?) throws(RealmError) -> AnyRealmValue? {
    converting(value)
  }

  public var _dynamicElement: Any? { rawValue }
}
