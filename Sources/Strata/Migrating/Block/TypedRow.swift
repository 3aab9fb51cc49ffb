import StrataStorage

/// The row behind an object of a model class in a migration: each property is read when it is asked
/// for, and written when the next thing happens.
final class TypedRow: ManagedContext {
  let type: TypedClass
  /// Nil between the rows of a loop.
  private(set) var row: DynamicObject?

  init(_ type: TypedClass, _ row: DynamicObject) {
    self.type = type
    self.row = row
    super.init(clock: type.table.context.tables.typedClock)
  }

  private var context: MigrationContext { type.table.context }

  /// Makes an object one of this row.
  func adopt(_ object: ObjectBase) {
    let base = Unmanaged.passUnretained(object).toOpaque()
    type.info.row.setSlots(base)
    // What links in memory led to is in the row now.
    for slot in type.info.slots.links { _ = type.info.accessors[slot].takeLink?(base) }
    object._rowID = row?.rowID ?? 0
    object._context = self
    object._state = ObjectState.managed
    // Never the time of the clock: each reading comes here.
    object._stamp = 0
    withExtendedLifetime(object) {}
  }

  /// Makes the object one of another row.
  func show(_ row: DynamicObject, in object: ObjectBase) {
    self.row = row
    object._rowID = row.rowID
  }

  /// Lets go of the row, when the loop continues to the next one.
  func leaveRow() { row = nil }

  /// The row, for a use of the object; nil where there is none, which fails the migration.
  private func usableRow() -> DynamicObject? {
    guard let row, context.canUse(row) else { return nil }
    return row
  }

  // MARK: Reading

  override func refresh(_ object: ObjectBase, slot: _PropertySlot) {
    context.new.flushTyped()
    let column = type.slots[slot]
    guard column >= 0, let row = usableRow() else { return }
    let accessor = type.info.accessors[slot]
    let base = Unmanaged.passUnretained(object).toOpaque()
    defer { withExtendedLifetime(object) {} }
    let isReadable: Bool
    if let cell = row.cell(of: column) {
      isReadable = accessor.read(base, RowValues(of: cell.statement), cell.position)
    } else {
      guard let element = row.storedElement(column) else { return }
      isReadable =
        context.status.attempt {
          try context.old.reading(element) { accessor.read(base, RowValues(of: $0), 0) }
        }
        ?? true
    }
    if !isReadable { context.reportUnreadable(type.table.properties[column], of: row) }
  }

  override func isPresent(_ object: ObjectBase) -> Bool {
    guard let row, context.status.isSound, !row.isInvalidated else { return false }
    return !row.table.isNew || context.exists(row.rowID, in: row.table)
  }

  override func sharesFile(with other: ManagedContext) -> Bool {
    guard let other = other as? TypedRow else { return false }
    return other.context === context && other.type.table.isNew == type.table.isNew
  }

  override func note(_ error: RealmError) { context.status.fail(error) }

  override func linkedObject(_ target: ObjectBase.Type, row: Int64) -> ObjectBase? {
    guard let owner = self.row else { return nil }
    let object = context.linkedObject(
      _StoredElement(.integer(row)), target.className(), of: owner.table)
    return object.flatMap { context.typedObject(target, $0) }
  }

  override func linkedObject(className: String, row: Int64) -> ObjectBase? {
    guard let owner = self.row else { return nil }
    let object = context.linkedObject(_StoredElement(.integer(row)), className, of: owner.table)
    guard let object else { return nil }
    // An old object in an `AnyRealmValue` has the class of the file, which the program may not
    // have.
    guard object.table.isNew, let target = context.classes.discovered.classes[className]?.type
    else {
      return LinkInMigration(object)
    }
    return context.typedObject(target, object)
  }

  // MARK: Writing

  override func willWrite(_ object: ObjectBase, slot: _PropertySlot) -> Bool {
    context.new.flushTyped()
    guard let row = usableRow() else { return false }
    guard row.table.isNew else {
      context.status.fail(
        "\(ErrorText.outsideWrite) ('\(type.info.className).\(type.info.properties[slot].name)' of "
          + "an old object)")
      return false
    }
    if type.slots[slot] >= 0 { context.new.pendingTyped = (object, slot) }
    return true
  }

  /// Hands a property that was set on to the row.
  func write(_ object: ObjectBase, _ slot: _PropertySlot) {
    guard let row = usableRow() else { return }
    let base = Unmanaged.passUnretained(object).toOpaque()
    let element = withExtendedLifetime(object) { type.info.accessors[slot].stored(base) }
    guard let element else {
      let property = type.info.properties[slot]
      return context.status.fail(ErrorText.unstorable(property, of: type.info.className))
    }
    row.set(type.slots[slot], element)
  }

  override func element(
    linkingTo object: ObjectBase, from owner: ObjectBase, _ slot: _PropertySlot
  ) throws(RealmError) -> _StoredElement {
    defer { context.adoptPromoted() }
    return try context.element(
      of: object, for: type.info.properties[slot], of: type.info.className)
  }

  override func setLink(_ slot: _PropertySlot, of owner: ObjectBase, to target: ObjectBase?) {
    context.new.pendingTyped = nil
    guard let row = usableRow() else { return }
    row[type.info.properties[slot].name] = target
    context.adoptPromoted()
  }

  override func rows(of owner: ObjectBase, _ slot: _PropertySlot) -> _CollectionRows? {
    context.new.flushTyped()
    guard let row = usableRow() else { return nil }
    let property = type.info.properties[slot]
    let collection = row.table.schema.properties.first {
      $0.collection != nil && SQLName.same($0.columnName, property.columnName)
    }
    guard let collection, let info = row.table.collections[collection.name] else { return nil }
    return TypedCollection(info, of: row, type.targets[slot])
  }
}

/// A collection of an object of a model class in a migration.
final class TypedCollection: MigrationCollection {
  private let target: ObjectBase.Type?

  init(_ info: CollectionInfo, of owner: DynamicObject, _ target: ObjectBase.Type?) {
    self.target = target
    super.init(info, of: owner)
  }

  override func object(_ element: _StoredElement) -> AnyObject? {
    guard let target else { return super.object(element) }
    let object = context.linkedObject(element, target.className(), of: owner.table)
    return object.flatMap { context.typedObject(target, $0) }
  }

  override func row(of object: AnyObject) throws(RealmError) -> _StoredElement {
    defer { context.adoptPromoted() }
    return try super.row(of: (object as? ObjectBase)?.migrationRow ?? object)
  }
}

extension ObjectBase {
  /// The row of an object in a migration.
  var migrationRow: DynamicObject? { (managedContext as? TypedRow)?.row }
}

extension MigrationContext {
  /// Objects in memory that the block made part of the file are its objects from then on.
  func adoptPromoted() {
    for (object, row) in creations.promoted where object._state == 0 {
      do throws(RealmError) {
        let known = try newClass(Swift.type(of: object))
        TypedRow(known, DynamicObject(known.table, row: row)).adopt(object)
      } catch {
        status.fail(error)
      }
    }
  }
}
