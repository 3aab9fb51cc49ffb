import StrataStorage

/// An object that is read and written by property names: a row in a migration, or an object of a
/// realm whose class is known by its name only.
///
/// ```swift
/// for person in realm.dynamicObjects("Person").filter("age > 30") { print(person["name"]!) }
/// ```
/// In a realm (see `realm.dynamicObjects(_:)`), a dynamic object behaves like the object of the
/// class. The rest of this text is about migrations.
///
/// In `enumerateObjects`, the old object shows the row from before the migration, and the new
/// object shows the migrated row. Old objects can't be changed. As in RealmSwift, a number is
/// returned as an `NSNumber`, which casts to each number type that can represent it. An enum is
/// returned as its raw value.
///
/// ```swift
/// newObject!["fullName"] = "\(oldObject!["firstName"]!) \(oldObject!["lastName"]!)"
/// if let count = oldObject!["count"] as? Int16 { newObject!["isUsed"] = count > 0 }
/// ```
/// If you specify the type, a number is read without the `NSNumber` and without the cast, which
/// takes about 0.4 µs. Use this in loops over many rows:
///
/// ```swift
/// let count: Int? = oldObject!["count"]
/// ```
///
/// A wrong name or value does not stop the process: the migration fails with a `Realm.Error`, and
/// the file is unchanged. Objects must not be used after the block.
@dynamicMemberLookup
public final class DynamicObject {
  private enum Source {
    case row(MigrationTable)
    case object(ObjectBase)
  }

  private let source: Source
  @exclusivity(unchecked) private(set) var rowID: Int64
  /// The reader whose current row has the values; nil for an object outside of its loop.
  @exclusivity(unchecked) private var reader: RowReader?
  /// The loop that collects the changes; nil for an old object, and outside of a loop.
  @exclusivity(unchecked) private var loop: MigrationLoop?
  private var row: [_StoredElement] = []
  @exclusivity(unchecked) private var rowVersion = -1
  @exclusivity(unchecked) private(set) var isDeleted = false

  init(_ table: MigrationTable, row: Int64) {
    source = .row(table)
    rowID = row
  }

  init(showing object: ObjectBase) {
    source = .object(object)
    rowID = object._rowID
  }

  /// The shown object of a realm; nil in a migration.
  @inline(__always)
  var object: ObjectBase? { if case .object(let object) = source { object } else { nil } }

  /// The table of a row in a migration. May be used only if ``object`` is nil.
  @inline(__always)
  var table: MigrationTable {
    guard case .row(let table) = source else {
      stopForProgrammerError("An object of a realm is not a row of a migration.")
    }
    return table
  }

  // MARK: Going through rows

  /// Moves the object to the current row of a loop.
  ///
  /// - Parameter reader: The reader of the row; nil if the values have to be fetched.
  @inline(__always)
  func show(_ row: Int64, of reader: RowReader?, in loop: MigrationLoop? = nil) {
    rowID = row
    rowVersion = -1
    isDeleted = false
    if self.reader !== reader { self.reader = reader }
    if self.loop !== loop { self.loop = loop }
  }

  /// Detaches the object from the loop, for a closure that retains the object.
  func leaveLoop() {
    reader = nil
    loop = nil
  }

  /// Stops reading values from the loop's old row, which are outdated.
  func forgetOldRow() { reader = nil }

  func markDeleted() {
    isDeleted = true
    leaveLoop()
  }

  // MARK: Values

  /// A property by its name. An unknown name gives nil, and fails the migration:
  /// `Invalid property name 'x' for class 'C'.`
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
      // As an `NSNumber` it would become a `Double`, also where the value is then assigned to an
      // `AnyRealmValue`.
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

  /// A property by its name, with a known type.
  ///
  /// A property of another type whose value doesn't fit fails the migration. This subscript is used
  /// only if the type is specified, as in `let age: Int? = oldObject["age"]`. In
  /// `oldObject["age"] ?? "none"`, the default must not decide the type.
  @_disfavoredOverload
  public subscript<Value: _Scalar>(propertyName: String) -> Value? {
    // The most frequent types: the compiler can't specialize this getter at the call site.
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

  /// Returns `self[key]`.
  public func value(forKey key: String) -> Any? { self[key] as Any? }

  /// Returns the value of `self[key]` without boxing numbers.
  func unboxedValue(_ key: String) -> Any? {
    if let object { return object.dynamicValue(key) }
    guard table.context.canUse(self) else { return nil }
    if let slot = table.slot(key) { return value(slot) }
    return derivedValue(key)
  }

  /// Sets `self[key]`.
  public func setValue(_ value: Any?, forKey key: String) { self[key] = value }

  /// The class and its properties; in a migration, the schema of this side.
  public var objectSchema: ObjectSchema { object?.objectSchema ?? table.schema }

  /// Whether the object was deleted.
  public var isInvalidated: Bool {
    object?.isInvalidated ?? (table.context.status.isOver || isGone)
  }

  /// Whether the row was deleted, perhaps through another instance or together with its parent.
  @inline(__always)
  var isGone: Bool {
    isDeleted || (table.isNew && table.context.isDeleted(rowID, of: table.className))
  }

  /// Returns the position of a property in the current row of the loop; nil if the value isn't
  /// there.
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

  /// Returns a collection, or the objects that link to this one.
  private func derivedValue(_ name: String) -> Any? {
    if let collection = table.collections[name] {
      // The caller casts the result, so a collection is returned for a deleted object as well.
      table.context.isThere(self)
      return table.context.collection(collection, of: self)
    }
    if table.isNew, let property = table.schema[name], property.isComputed {
      return table.context.objects(linkingTo: self, through: property)
    }
    _ = unknownSlot(name)
    return nil
  }

  /// Returns the statement and position with a property's value in the loop's current row; nil if
  /// the value isn't there.
  func cell(of slot: Int) -> (statement: OpaquePointer, position: Int32)? {
    guard let reader, let position = position(slot, reader) else { return nil }
    return (reader.pointer, position)
  }

  func storedElement(_ slot: Int) -> _StoredElement? {
    if let value = loop?.value(slot) { return value }
    if let cell = cell(of: slot) {
      return table.element(cell.statement, slot, at: cell.position)
    }
    if !table.isNew { table.recordRead(slot) }
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

  /// Returns the slot of a property to set; nil for an unknown name. Also nil for a collection,
  /// which this method assigns itself.
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
    if usableSlot(name) != nil { _ = table.canWrite(name, of: table.className) }
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
    // A trigger deletes the replaced object.
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
