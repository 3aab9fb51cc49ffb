import StrataSchema
import StrataStorage

/// A property of an object in a migration whose `AnyRealmValue` is a list or a dictionary.
final class DynamicHolder: NestedHolder {
  private let owner: DynamicObject
  private let slot: Int
  /// The row at creation: a loop may move its object to another row.
  private let row: Int64

  init(_ element: _StoredElement, _ owner: DynamicObject, _ slot: Int) {
    self.owner = owner
    self.slot = slot
    row = owner.rowID
    super.init(element)
  }

  private var context: MigrationContext { owner.table.context }
  private var property: Property { owner.table.properties[slot] }

  override func current() -> _StoredElement? {
    guard owner.rowID == row, context.canUse(owner) else { return nil }
    return owner.storedElement(slot).flatMap { $0.isNested ? $0 : nil }
  }

  override func canWrite() -> Bool {
    guard context.canUse(owner) else { return false }
    if !owner.table.isNew {
      context.status.fail("\(ErrorText.outsideWrite) (\(name) of an old object)")
    }
    return owner.table.isNew
  }

  override func write(_ element: _StoredElement) { owner.set(slot, element) }

  override func record(_ error: RealmError) { context.status.fail(error) }

  override func object(_ element: _StoredElement) -> AnyObject? {
    context.linkedObject(element, element.linkedClassName, of: owner.table).map {
      LinkInMigration($0)
    }
  }

  override func row(of object: AnyObject) throws(RealmError) -> _StoredElement {
    try context.element(of: object, for: property, of: owner.table.className)
  }

  override func isSame(as other: NestedHolder) -> Bool {
    guard let other = other as? DynamicHolder else { return false }
    return owner == other.owner && slot == other.slot
  }

  override var identity: Int64 { row }

  override var name: String { "'\(owner.table.className).\(property.name)'" }
}

extension DynamicObject {
  /// Returns the list or the dictionary of a property, as the block sees it; nil if its data is
  /// damaged.
  func nestedCollection(_ stored: _StoredElement, _ slot: Int) -> Any? {
    let holder = DynamicHolder(stored, self, slot)
    guard let top = holder.top else { return nil }
    return AnyRealmValue(nested: NestedRows(holder, top), typeName: stored.type)?.rawValue
  }
}
