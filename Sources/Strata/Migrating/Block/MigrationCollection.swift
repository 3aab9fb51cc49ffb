import GRDB
import StrataSchema
import StrataStorage

/// A collection of an object in a migration: of an old object, which can't be changed, or of a new
/// one.
class MigrationCollection: StoredCollection {
  final let context: MigrationContext
  final let owner: DynamicObject

  init(_ info: CollectionInfo, of owner: DynamicObject) {
    self.owner = owner
    context = owner.table.context
    super.init(ElementTable(info: info, owner: owner.rowID))
    if !owner.table.isNew {
      context.notes.recordCarried([info.property.columnName], of: owner.table.className)
    }
  }

  private var isNew: Bool { owner.table.isNew }
  private var info: CollectionInfo { table.info }

  override func isSameFile(as other: StoredCollection) -> Bool {
    guard let other = other as? MigrationCollection else { return false }
    return other.context === context && other.isNew == isNew
  }

  override var isInvalidated: Bool { context.status.isOver || owner.isGone }

  override var stamp: Stamp {
    Stamp(time: 0, changes: isNew ? UInt64(context.notes.version) : 0)
  }

  override func read<Value>(or fallback: Value, _ body: (Database) throws -> Value) -> Value {
    guard context.status.canWork() else { return fallback }
    return context.status.attempt { try body(context.flush(owner.table)) } ?? fallback
  }

  override func canWrite() -> Bool {
    context.status.canWork() && owner.table.canWrite(info.property.name, of: info.className)
      && context.isThere(owner)
  }

  override func record(_ error: RealmError) { context.status.fail(error) }

  override func change<Value>(
    or fallback: Value, removes: Bool, _ body: (Database) throws -> Value
  ) -> Value {
    guard context.status.canWork() else { return fallback }
    var result: Value?
    if removes, let child = context.classes.embeddedTarget(of: info.property) {
      context.changeChildren(of: child) {
        result = context.status.attempt { try body(context.flush(owner.table)) }
      }
    } else {
      result = context.status.attempt { try body(context.flush(owner.table)) }
    }
    context.notes.recordChange()
    return result ?? fallback
  }

  override func object(_ element: _StoredElement) -> AnyObject? {
    let className = info.property.objectClassName ?? element.linkedClassName
    let object = context.linkedObject(element, className, of: owner.table)
    if info.property.type == .any { return object.map { LinkInMigration($0) } }
    // An entry of a map may be nil; a list has an object at each position.
    return object ?? (info.kind == .map ? nil : context.placeholder(className ?? ""))
  }

  override func row(of object: AnyObject) throws(RealmError) -> _StoredElement {
    // Nothing is written to the old side: the row is needed to search for an object.
    if !isNew, let object = object as? DynamicObject, object.object == nil, !object.table.isNew,
      object.table.context === context,
      object.table.schema.className == info.property.objectClassName
    {
      return _StoredElement(.integer(object.rowID))
    }
    return try context.element(of: object, for: info.property, of: info.className)
  }

  override func cursor() -> ElementCursor {
    let cursor = ArrayElementCursor(read(or: []) { try table.entries($0) })
    return holdsNested ? NestedElementCursor(cursor, self) : cursor
  }
}

extension DynamicObject: RealmCollectionValue {
  public typealias PersistedType = DynamicObject
  public static var _elementType: PropertyType { .object }
  public static var _elementIsOptional: Bool { false }
  public static var _elementClass: ObjectBase.Type? { nil }

  public static func _element(
    _ element: _ReadElement, in rows: _CollectionRows
  ) -> DynamicObject? {
    let object = rows.object(element.stored)
    return object as? DynamicObject ?? (object as? ObjectBase).map { DynamicObject(showing: $0) }
  }

  public static func _showing(_ object: ObjectBase) -> DynamicObject? {
    DynamicObject(showing: object)
  }

  public var _shownObject: ObjectBase? { object }

  public static func _zeroElement() -> DynamicObject {
    stopForProgrammerError("A list of a migration has an object at each of its positions.")
  }

  public func _stored(in rows: _CollectionRows) throws(RealmError) -> _StoredElement {
    try rows.row(of: object ?? self)
  }

  public static func _convertElement(_ value: Any?) throws(RealmError) -> DynamicObject? {
    value as? DynamicObject ?? (value as? ObjectBase).map { DynamicObject(showing: $0) }
  }

  public var _dynamicElement: Any? { self }
}

extension MigrationContext {
  /// Returns a collection of an object, with the type to which a block casts it.
  func collection(_ info: CollectionInfo, of owner: DynamicObject) -> Any {
    let rows = MigrationCollection(info, of: owner)
    if let type = info.property.type.scalar { return make(rows, type) }
    guard info.property.type == .object else { return make(rows, of: AnyRealmValue.self) }
    return info.kind == .map
      ? Map<String, DynamicObject?>(rows) : make(rows, of: DynamicObject.self)
  }

  private func make<Value: RealmCollectionValue>(
    _ rows: MigrationCollection, _: Value.Type
  ) -> Any {
    rows.table.info.property.allowsNil
      ? make(rows, of: Value?.self) : make(rows, of: Value.self)
  }

  private func make<Value: RealmCollectionValue>(
    _ rows: MigrationCollection, of _: Value.Type
  ) -> Any {
    switch rows.table.info.kind {
    case .list: List<Value>(rows)
    case .set: MutableSet<Value>(rows)
    case .map: Map<String, Value>(rows)
    }
  }
}

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
    context.canUse(owner) && owner.table.canWrite(property.name, of: owner.table.className)
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
