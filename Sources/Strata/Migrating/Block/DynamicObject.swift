import StrataStorage

/// An object that is read and written by property names: a row in a migration, or an object of a
/// realm whose class is known by its name only.
///
/// ```swift
/// for person in realm.dynamicObjects("Person").filter("age > 30") { print(person["name"]!) }
/// ```
/// See `realm.dynamicObjects(_:)`; there it behaves as the object of the class does. The rest is
/// about migrations.
///
/// In `enumerateObjects` the old object shows the row as it was before the migration, and the new
/// one the row that it becomes. Old objects can't be changed. A number comes as an `NSNumber`, as
/// in RealmSwift, which casts to each type of number that can hold it; an enum as its raw value.
///
/// ```swift
/// newObject!["fullName"] = "\(oldObject!["firstName"]!) \(oldObject!["lastName"]!)"
/// if let count = oldObject!["count"] as? Int16 { newObject!["isUsed"] = count > 0 }
/// ```
/// A loop over many rows reads a number without the box, and without the cast, which takes some 0.4
/// µs, where the type is written down:
///
/// ```swift
/// let count: Int? = oldObject!["count"]
/// ```
///
/// A wrong name or value does not stop the process: the migration fails with a `Realm.Error`, and
/// the file stays as it was. Objects are of no use after the block.
@dynamicMemberLookup
public final class DynamicObject {
  private enum Source {
    /// A row of this table, in a migration.
    case row(MigrationTable)
    /// An object of a realm.
    case object(ObjectBase)
  }

  private let source: Source
  @exclusivity(unchecked) private(set) var rowID: Int64
  /// Has the values in its current row; nil for an object outside of its loop.
  @exclusivity(unchecked) private var reader: RowReader?
  /// The loop that collects what is set; nil for an object of the old side, and outside of a loop.
  @exclusivity(unchecked) private var loop: MigrationLoop?
  private var row: [_StoredElement] = []
  @exclusivity(unchecked) private var rowVersion = -1
  @exclusivity(unchecked) private(set) var isDeleted = false

  init(_ table: MigrationTable, row: Int64) {
    source = .row(table)
    rowID = row
  }

  /// Shows an object of a realm.
  init(showing object: ObjectBase) {
    source = .object(object)
    rowID = object._rowID
  }

  /// The object of a realm that this one shows; nil in a migration.
  @inline(__always)
  var object: ObjectBase? { if case .object(let object) = source { object } else { nil } }

  /// The table of a row in a migration; only where ``object`` is nil.
  @inline(__always)
  var table: MigrationTable {
    guard case .row(let table) = source else {
      stopForProgrammerError("An object of a realm is not a row of a migration.")
    }
    return table
  }

  // MARK: Going through rows

  /// Makes the object stand for the current row of a loop.
  ///
  /// - Parameter reader: Has the values of the row; nil where they have to be looked for.
  @inline(__always)
  func show(_ row: Int64, of reader: RowReader?, in loop: MigrationLoop? = nil) {
    rowID = row
    rowVersion = -1
    isDeleted = false
    if self.reader !== reader { self.reader = reader }
    if self.loop !== loop { self.loop = loop }
  }

  /// Makes the object independent of the loop, for a closure that keeps it.
  func leaveLoop() {
    reader = nil
    loop = nil
  }

  /// The row is no longer what the loop reads.
  func forgetOldRow() { reader = nil }

  func markDeleted() {
    isDeleted = true
    leaveLoop()
  }

  // MARK: Values

  /// A property by its name; nil when it is nil, and also when there is none, which fails the
  /// migration: `Invalid property name 'x' for class 'C'.`
  public subscript(propertyName: String) -> Any? {
    get {
      if let object { return boxedNumber(object.dynamicValue(propertyName)) }
      guard table.context.canUse(self) else { return nil }
      guard let slot = table.slot(propertyName) else { return derivedValue(propertyName) }
      if let reader, let position = position(slot, reader),
        let value = table.slots.types[slot].boxedColumn(reader.pointer, position)
      {
        return value
      }
      let value = value(slot)
      // In a box it would be a `Double`, also where an `AnyRealmValue` gets it from here.
      if table.slots.types[slot] == .any, let value = value as? Float, !value.isFinite {
        return value
      }
      return boxedNumber(value)
    }
    set {
      if let object { return object[propertyName] = withoutDynamicObjects(newValue) }
      guard let slot = writableSlot(propertyName, newValue) else { return }
      if let loop, let newValue {
        if let target = table.slots.linkTargets[slot] {
          if let object = newValue as? DynamicObject, table.context.isLinkable(object, target) {
            return loop.changes.set(loop.changeColumn(slot), .integer, object.rowID)
          }
        } else if loop.changes.set(
          loop.changeColumn(slot), exactly: newValue, table.slots.types[slot])
        {
          return
        }
      }
      set(slot, converting: unwrapped(newValue))
    }
  }

  /// A property by its name, of a type that is known.
  ///
  /// A property of another type, whose value doesn't fit, fails the migration. Chosen only where
  /// the type is written down, as in `let age: Int? = oldObject["age"]`: in `oldObject["age"] ??
  /// "none"` the default must not decide what the property is read as.
  @_disfavoredOverload
  public subscript<Value: _Scalar>(propertyName: String) -> Value? {
    // Those that loops read most: the compiler can't specialise it where it is called.
    @_specialize(where Value == Int)
    @_specialize(where Value == Double)
    @_specialize(where Value == String)
    @_specialize(where Value == Bool)
    get {
      if let object { return object.typedValue(propertyName) }
      guard let slot = usableSlot(propertyName) else { return nil }
      if let reader, table.slots.types[slot] == Value._propertyType,
        let position = position(slot, reader), let value = Value._read(reader.pointer, position)
      {
        return value
      }
      guard let value = value(slot) else { return nil }
      if let converted = Value._convert(value) { return converted }
      table.context.status.fail(
        """
        '\(table.className).\(propertyName)' is of type '\(table.slots.types[slot].rawValue)' and can't be \
        read as '\(Value.self)'.
        """)
      return nil
    }
    set {
      if let object { return object[propertyName] = newValue }
      guard let slot = writableSlot(propertyName, newValue) else { return }
      if let newValue, table.slots.types[slot] == Value._propertyType, let stored = newValue._stored
      {
        set(slot, stored)
      } else {
        set(slot, converting: newValue)
      }
    }
  }

  /// A property by its name, as in `object.age`.
  public subscript(dynamicMember propertyName: String) -> Any? {
    get { self[propertyName] }
    set { self[propertyName] = newValue }
  }

  /// The same as reading `self[key]`.
  public func value(forKey key: String) -> Any? { self[key] as Any? }

  /// The value that `self[key]` gives, with a number as it is.
  func unboxedValue(_ key: String) -> Any? {
    if let object { return object.dynamicValue(key) }
    guard table.context.canUse(self) else { return nil }
    if let slot = table.slot(key) { return value(slot) }
    return derivedValue(key)
  }

  /// The same as setting `self[key]`.
  public func setValue(_ value: Any?, forKey key: String) { self[key] = value }

  /// The class and its properties: in a migration, as this side of it has them.
  public var objectSchema: ObjectSchema { object?.objectSchema ?? table.schema }

  /// Whether the object was deleted.
  public var isInvalidated: Bool {
    object?.isInvalidated ?? (table.context.status.isOver || isGone)
  }

  /// Whether the row was deleted, perhaps by way of another instance or with its parent.
  @inline(__always)
  var isGone: Bool {
    isDeleted || (table.isNew && table.context.isDeleted(rowID, of: table.className))
  }

  /// Where the current row of the loop has the value of a property; nil when it is elsewhere.
  @inline(__always)
  private func position(_ slot: Int, _ reader: RowReader) -> Int32? {
    guard let loop else { return reader.position(slot) }
    let oldSlot = loop.oldSlots[slot]
    return oldSlot < 0 || loop.value(slot) != nil ? nil : reader.position(oldSlot)
  }

  private func value(_ slot: Int) -> Any? {
    guard let stored = storedElement(slot) else { return nil }
    switch table.slots.types[slot] {
    case .object:
      return table.context.linkedObject(stored, table.properties[slot].objectClassName, of: table)
    case .any:
      if stored.linkedClassName != nil {
        return table.context.linkedObject(stored, stored.linkedClassName, of: table)
      }
      if let value = AnyRealmValue(stored) { return value.rawValue }
      if stored.isNested, let value = nestedCollection(stored, slot) { return value }
    default:
      if let value = table.properties[slot].dynamicValue(stored.value) { return value }
    }
    table.context.reportUnreadable(table.properties[slot], of: self)
    return nil
  }

  /// A collection, or the objects that link to this one.
  private func derivedValue(_ name: String) -> Any? {
    if let collection = table.collections[name] {
      // The caller casts it, also that of an object which is gone.
      table.context.isThere(self)
      return table.context.collection(collection, of: self)
    }
    if table.isNew, let property = table.schema[name], property.isComputed {
      return table.context.objects(linkingTo: self, through: property)
    }
    table.context.status.fail(
      ErrorText.invalidPropertyName(
        name, table.className, known: table.schema.properties.map(\.name)))
    return nil
  }

  /// Where the current row of the loop has the value of a property; nil when it is elsewhere.
  func cell(of slot: Int) -> (statement: OpaquePointer, position: Int32)? {
    guard let reader, let position = position(slot, reader) else { return nil }
    return (reader.pointer, position)
  }

  func storedElement(_ slot: Int) -> _StoredElement? {
    if let value = loop?.value(slot) { return value }
    if let cell = cell(of: slot) {
      return table.element(cell.statement, slot, at: cell.position)
    }
    if !table.isNew { table.noteRead(slot) }
    if rowVersion != table.context.notes.version {
      guard let values = table.context.fetchRow(self) else { return nil }
      row = values
      rowVersion = table.context.notes.version
    }
    return row[slot]
  }

  @inline(__always)
  private func usableSlot(_ name: String) -> Int? {
    guard table.context.canUse(self) else { return nil }
    if let slot = table.slot(name) { return slot }
    return unknownSlot(name)
  }

  private func unknownSlot(_ name: String) -> Int? {
    table.context.status.fail(
      ErrorText.invalidPropertyName(
        name, table.className, known: table.schema.properties.map(\.name)))
    return nil
  }

  /// The position of a property to be set; nil when there is none, and for a collection, which is
  /// then set.
  @inline(__always)
  private func writableSlot(_ name: String, _ value: Any?) -> Int? {
    guard table.isNew, table.context.status.isSound, !isDeleted, let slot = table.slot(name) else {
      return otherSlot(name, value)
    }
    return slot
  }

  private func otherSlot(_ name: String, _ value: Any?) -> Int? {
    if let collection = table.collections[name] {
      table.context.assign(value, to: collection, of: self)
      return nil
    }
    guard usableSlot(name) != nil else { return nil }
    table.context.status.fail(
      ErrorText.outsideWrite + " ('\(table.className).\(name)' of an old object)")
    return nil
  }

  private func set(_ slot: Int, converting value: Any?) {
    let property = table.properties[slot]
    let child = table.context.classes.embeddedTarget(of: property)
    if child != nil, let value = value as? DynamicObject,
      value == self.value(slot) as? DynamicObject
    {
      return
    }
    let stored = table.context.status.attempt {
      try table.context.element(of: value, for: property, of: table.className)
    }
    guard let stored else { return }
    guard let child else { return set(slot, stored) }
    // The one that is replaced goes by a trigger.
    table.context.changeChildren(of: child) {
      set(slot, stored)
      table.context.new.flush()
    }
  }

  @inline(__always)
  private func set(_ slot: Int, _ value: StoredValue) {
    if let loop {
      loop.changes.set(loop.changeColumn(slot), value)
    } else {
      set(slot, _StoredElement(value))
    }
  }

  func set(_ slot: Int, _ element: _StoredElement) {
    if let loop {
      loop.set(slot, element)
    } else {
      table.context.write(element, slot, of: self)
    }
  }
}
