import StrataSchema
import StrataStorage

/// The row of a typed object in a migration. Each property is read on access; a set property is
/// written before the next access.
final class TypedRow: ManagedContext {
  let type: TypedClass
  /// The row; nil between the rows of a loop.
  private(set) var row: DynamicObject?

  init(_ type: TypedClass, _ row: DynamicObject) {
    self.type = type
    self.row = row
    super.init(clock: type.table.context.tables.typedClock)
  }

  private var context: MigrationContext { type.table.context }

  /// Connects an object to this row.
  func adopt(_ object: ObjectBase) {
    let base = Unmanaged.passUnretained(object).toOpaque()
    type.info.row.setSlots(base)
    // The values of links in memory are in the row now.
    for slot in type.info.slots.links { _ = type.info.accessors[slot].takeLink?(base) }
    object._rowID = row?.rowID ?? 0
    object._context = self
    object._state = ObjectState.managed
    // The clock never has this time, so each read calls `refresh`.
    object._stamp = 0
    withExtendedLifetime(object) {}
  }

  func show(_ row: DynamicObject, in object: ObjectBase) {
    self.row = row
    object._rowID = row.rowID
  }

  /// Releases the row, when the loop continues to the next one.
  func leaveRow() { row = nil }

  /// Returns the row for an access to the object; nil without a row, or if the migration has
  /// failed.
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

  override func record(_ error: RealmError) { context.status.fail(error) }

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
    // An old object in an `AnyRealmValue` has a class of the file, which may not be in the program.
    guard object.table.isNew, let target = context.classes.discovered.classes[className]?.type
    else {
      return LinkInMigration(object)
    }
    return context.typedObject(target, object)
  }

  // MARK: Writing

  override func willWrite(_ object: ObjectBase, slot: _PropertySlot) -> Bool {
    context.new.flushTyped()
    let name = type.info.properties[slot].name
    guard let row = usableRow(), row.table.canWrite(name, of: type.info.className) else {
      return false
    }
    if type.slots[slot] >= 0 { context.new.pendingTyped = (object, slot) }
    return true
  }

  /// Passes a property that was set on to the row.
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

/// A collection of a typed object in a migration.
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
  var migrationRow: DynamicObject? { (managedContext as? TypedRow)?.row }
}

extension MigrationContext {
  /// Turns the unmanaged objects that the block has added to the file into managed objects.
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

/// A model class that represents the rows of one side of a migration.
final class TypedClass {
  let info: ClassInfo
  let table: MigrationTable
  /// For each slot of the class, the slot of the table; -1 for a property without a column.
  let slots: SlotArray<Int>
  /// The classes of links and of the elements of collections, by slots of the class.
  let targets: SlotArray<ObjectBase.Type?>

  init(_ type: ObjectBase.Type, _ table: MigrationTable) throws(RealmError) {
    let info = try ClassInfo.of(type)
    self.info = info
    self.table = table
    slots = SlotArray(
      info.properties.map { property in
        guard property.isStoredInColumn else { return -1 }
        return table.properties.firstIndex {
          SQLName.same($0.columnName, property.columnName)
        } ?? -1
      })
    targets = info.targets
  }

  func object(_ row: DynamicObject) -> ObjectBase {
    let object = info.materialize()
    TypedRow(self, row).adopt(object)
    return object
  }
}

extension MigrationContext {
  func newClass(_ type: ObjectBase.Type) throws(RealmError) -> TypedClass {
    let key = TypedClassKey(type: ObjectIdentifier(type), isNew: true)
    if let known = tables.typed[key] { return known }
    let name = type.className()
    guard let target = classes.discovered.classes[name]?.type else {
      throw RealmError(
        .fail,
        classes.newSchema[name] == nil
          ? ErrorText.notManaged(name)
          : "The new version is a frozen schema, whose objects have no class: use "
            + "'enumerateObjects(ofType: \"\(name)\")', or give the version as classes.")
    }
    guard target == type else {
      throw RealmError(
        .fail,
        "'\(String(reflecting: type))' is not the class that new objects of '\(name)' have: that is "
          + "'\(String(reflecting: target))'.")
    }
    guard let table = newTable(name) else { throw RealmError(.fail, ErrorText.notManaged(name)) }
    let made = try TypedClass(type, table)
    tables.typed[key] = made
    return made
  }

  /// Returns a class as the type of old objects; nil if the file has no class of that name.
  func oldClass(_ type: ObjectBase.Type) throws(RealmError) -> TypedClass? {
    let key = TypedClassKey(type: ObjectIdentifier(type), isNew: false)
    if let known = tables.typed[key] { return known }
    guard let table = oldTable(type.className()) else { return nil }
    let schema = try ClassInfo.of(type).objectSchema
    let differences = SchemaDiff.changes(from: Schema([table.schema]), to: Schema([schema]))
      .filter(\.blocksReading)
    guard differences.isEmpty else {
      throw RealmError(
        .fail,
        "'\(String(reflecting: type))' is not the class that old objects of '\(type.className())' "
          + "have. Compared with the file:" + differences.map { "\n- \($0)" }.joined()
          + "\nUse the class of the version that the file is at.")
    }
    let made = try TypedClass(type, table)
    tables.typed[key] = made
    return made
  }

  /// Returns the object of a row as an instance of a class; nil after an error, which fails the
  /// migration.
  func typedObject(_ type: ObjectBase.Type, _ row: DynamicObject) -> ObjectBase? {
    do throws(RealmError) {
      let known = row.table.isNew ? try newClass(type) : try oldClass(type)
      return known?.object(row)
    } catch {
      status.fail(error)
      return nil
    }
  }
}

struct TypedClassKey: Hashable {
  var type: ObjectIdentifier
  var isNew: Bool
}

extension SchemaChange {
  /// Whether objects of the second schema can't show rows of the first one.
  fileprivate var blocksReading: Bool {
    switch self {
    case .addProperty, .changeType, .makeRequired: true
    default: false
    }
  }
}
