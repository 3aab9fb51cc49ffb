import StrataStorage

/// A property of a managed object whose `AnyRealmValue` is a list or a dictionary.
final class PropertyHolder: NestedHolder {
  let owner: ObjectBase
  let slot: _PropertySlot
  /// The owner's realm, kept because a deleted object no longer has it.
  private let context: ManagedContext?
  /// The owner's row when the holder was made: a loop of a migration may move its object to another
  /// row.
  private let row: Int64

  private init(
    _ element: _StoredElement, _ owner: ObjectBase, _ slot: _PropertySlot, isShared: Bool
  ) {
    self.owner = owner
    self.slot = slot
    context = owner.managedContext
    row = owner._rowID
    super.init(element, isShared: isShared)
  }

  /// The holder of a property, shared by all collections of the property that the program holds.
  static func of(_ owner: ObjectBase, _ slot: _PropertySlot, _ element: _StoredElement)
    -> NestedHolder
  {
    guard let context = owner.managedContext, !context.isShared else {
      return PropertyHolder(element, owner, slot, isShared: true)
    }
    let key = NestedKey(owner, slot)
    if let holder = context.nestedHolders[key]?.holder as? PropertyHolder {
      holder.refresh()
      if holder.top != nil { return holder }
    }
    let holder = PropertyHolder(element, owner, slot, isShared: false)
    context.nestedHolders.record(holder, for: key)
    return holder
  }

  /// Ends the collections of a property that is set to another value.
  static func end(_ owner: ObjectBase, _ slot: _PropertySlot) {
    guard let context = owner.managedContext, !context.nestedHolders.isEmpty else { return }
    let known = context.nestedHolders.removeValue(forKey: NestedKey(owner, slot))
    (known?.holder as? NestedHolder)?.end()
  }

  private var info: ClassInfo? { ClassInfo.reporting(type(of: owner)) }

  private func withBase<Result>(
    _ body: (_PropertyAccessor, _PropertyAccessor.Base) -> Result
  ) -> Result? {
    guard let accessor = info?.accessors[slot] else { return nil }
    return withExtendedLifetime(owner) {
      body(accessor, Unmanaged.passUnretained(owner).toOpaque())
    }
  }

  override func current() -> _StoredElement? {
    guard owner.managedContext != nil, owner._rowID == row, !owner.isInvalidated else {
      return nil
    }
    owner._willRead(slot)
    guard let element = withBase({ $0.stored($1) }) ?? nil, element.isNested else { return nil }
    return element
  }

  override func canWrite() -> Bool {
    // As for lists and maps of a deleted object, and unlike for its other properties.
    guard let context, owner.isInvalidated else { return owner._willWrite(slot) }
    context.record(RealmError(.fail, "\(ErrorText.deleted) (\(name))"))
    return false
  }

  override func write(_ element: _StoredElement) {
    // Reading objects in the value may have flushed pending changes.
    guard owner._willWrite(slot) else { return }
    _ = withBase { $0.setNested?($1, element) }
  }

  override func record(_ error: RealmError) { owner.managedContext?.record(error) }

  override func object(_ element: _StoredElement) -> AnyObject? {
    guard case .integer(let row) = element.value, let name = element.linkedClassName else {
      return nil
    }
    return owner.managedContext?.linkedObject(className: name, row: row)
  }

  override func row(of object: AnyObject) throws(RealmError) -> _StoredElement {
    guard let context = owner.managedContext, let object = object as? ObjectBase else {
      return .null
    }
    return try context.element(linkingTo: object, from: owner, slot)
  }

  override func isSame(as other: NestedHolder) -> Bool {
    guard let other = other as? PropertyHolder else { return false }
    return owner == other.owner && slot == other.slot
  }

  override var identity: Int64 { row }

  override var name: String {
    guard let info else { return "" }
    return "'\(info.className).\(info.properties[slot].name)'"
  }
}

extension NestedKey {
  init(_ owner: ObjectBase, _ slot: _PropertySlot) {
    self.init(name: type(of: owner).className(), row: owner._rowID, slot: slot)
  }
}

extension [NestedKey: WeakHolder] {
  /// Registers a holder, and removes released ones from time to time.
  mutating func record(_ holder: AnyObject, for key: NestedKey) {
    if WeakHolder.shouldPruneReleased(count) { self = filter { $0.value.holder != nil } }
    self[key] = WeakHolder(holder: holder)
  }
}
