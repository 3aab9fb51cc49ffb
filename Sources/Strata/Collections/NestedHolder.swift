import StrataSchema
import StrataStorage

/// The holder of the outermost nested collection: a property of an object, or an element of a list
/// or a map.
///
/// A holder contains one value. Reading any collection in the value brings the whole value up to
/// date, and each change writes the whole value.
class NestedHolder {
  /// The collection in memory; nil if the holder was deleted, or contains something else.
  private(set) var top: NestedNode?
  /// The stored form from which ``top`` was made.
  private(set) var known: _StoredElement
  /// A counter of changes, for caches of the collections' elements.
  private(set) var changes: UInt64 = 0
  /// Whether the value never changes, and several threads may read it.
  let isShared: Bool

  /// - Parameter element: The content of the holder. If it isn't a collection, the holder has
  ///   ended.
  init(_ element: _StoredElement, isShared: Bool = false) {
    known = element
    self.isShared = isShared
    top = NestedValue(element).flatMap { NestedNode($0) }
  }

  // MARK: To be overridden

  /// The current content of the holder; nil if the holder was deleted.
  func current() -> _StoredElement? { mustOverride(self) }

  /// Whether the holder can be written. Stops the process where writing is a programmer error.
  func canWrite() -> Bool { mustOverride(self) }

  /// Puts another value into the holder.
  func write(_ element: _StoredElement) { mustOverride(self) }

  /// Records an error in data for code that can't throw.
  func record(_ error: RealmError) { mustOverride(self) }

  func object(_ element: _StoredElement) -> AnyObject? { mustOverride(self) }

  /// The row of an object. Adds an unmanaged object.
  func row(of object: AnyObject) throws(RealmError) -> _StoredElement { mustOverride(self) }

  /// Whether another instance is the same holder of the same file.
  func isSame(as other: NestedHolder) -> Bool { mustOverride(self) }

  /// A number that is equal for equal holders.
  var identity: Int64 { mustOverride(self) }

  /// The name of the property in messages.
  var name: String { mustOverride(self) }

  // MARK: Changes

  /// Brings the collections up to date.
  func refresh() {
    guard !isShared, top != nil else { return }
    guard let element = current() else { return end() }
    guard element != known else { return }
    guard let value = NestedValue(element), value.kind == top?.kind else { return end() }
    known = element
    top?.reconcile(with: value)
    changes += 1
  }

  /// Writes the whole value after a change of one of its collections.
  func save() {
    guard let top else { return }
    changes += 1
    known = _StoredElement(top.value)
    write(known)
  }

  /// Ends the collections, because the holder gets another value.
  func end() {
    top = nil
    changes += 1
  }
}

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
