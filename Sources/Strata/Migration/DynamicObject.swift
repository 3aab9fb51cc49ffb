/// A row in a migration, read and written by property names.
///
/// In `enumerateObjects` the old object shows the row as it was before the migration, and the new
/// one the row that it becomes. Old objects can't be changed. Numbers come as `Int`, `Double` and
/// `Float`, enums as their raw values.
///
/// ```swift
/// newObject!["fullName"] = "\(oldObject!["firstName"]!) \(oldObject!["lastName"]!)"
/// ```
///
/// A wrong name or value does not stop the process: the migration fails with a `Realm.Error`, and
/// the file stays as it was. Objects are of no use after the block.
@dynamicMemberLookup
public final class DynamicObject {
  let table: MigrationTable
  @exclusivity(unchecked) private(set) var rowID: Int64
  /// The statement whose current row this is; nil for an object that was kept.
  @exclusivity(unchecked) private var statement: OpaquePointer?
  /// What was set and is not yet written, by slot.
  @exclusivity(unchecked) private var written: [_StoredElement?] = []
  @exclusivity(unchecked) private var writtenSlots: [Int] = []
  private var row: [_StoredElement] = []
  @exclusivity(unchecked) private var rowVersion = -1
  @exclusivity(unchecked) private(set) var isDeleted = false

  init(_ table: MigrationTable, row: Int64, statement: OpaquePointer? = nil) {
    self.table = table
    self.statement = statement
    rowID = row
  }

  // MARK: Going through rows

  /// Makes the object stand for another row.
  func move(to row: Int64) {
    rowID = row
    rowVersion = -1
    isDeleted = false
  }

  /// Makes the object independent of the loop that made it, for a closure that keeps it.
  func detach() {
    statement = nil
  }

  func markDeleted() {
    isDeleted = true
    written = []
    writtenSlots = []
  }

  // MARK: Values

  /// A property by its name; nil when it is nil, and also when there is none, which fails the
  /// migration: `Invalid property name 'x' for class 'C'.`
  public subscript(propertyName: String) -> Any? {
    get {
      guard table.context.canUse(self) else { return nil }
      if let slot = table.slot(propertyName) { return value(slot) }
      return derivedValue(propertyName)
    }
    set {
      if let collection = table.collections[propertyName] {
        table.context.assign(newValue, to: collection, of: self)
        return
      }
      guard let slot = writableSlot(propertyName) else { return }
      if let newValue, let stored = table.types[slot].storedValue(exactly: newValue) {
        set(slot, stored)
      } else {
        set(slot, converting: unwrapped(newValue))
      }
    }
  }

  /// A property by its name, of a type that is known.
  ///
  /// A property of another type, whose value doesn't fit, fails the migration. Chosen only where the
  /// type is written down, as in `let age: Int? = oldObject["age"]`: in `oldObject["age"] ?? "none"`
  /// the default must not decide what the property is read as.
  @_disfavoredOverload
  public subscript<Value: _Scalar>(propertyName: String) -> Value? {
    get {
      guard let slot = usableSlot(propertyName) else { return nil }
      if let statement, table.types[slot] == Value._propertyType,
        let value = Value._read(statement, table.positions[slot])
      {
        return value
      }
      guard let value = value(slot) else { return nil }
      if let converted = Value._convert(value) { return converted }
      table.context.fail(
        """
        '\(table.className).\(propertyName)' is of type '\(table.types[slot].rawValue)' and can't be \
        read as '\(Value.self)'.
        """)
      return nil
    }
    set {
      guard let slot = writableSlot(propertyName) else { return }
      if let newValue, table.types[slot] == Value._propertyType, let stored = newValue._stored {
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

  /// The same as setting `self[key]`.
  public func setValue(_ value: Any?, forKey key: String) { self[key] = value }

  /// The class and its properties as this side of the migration has them.
  public var objectSchema: ObjectSchema { table.schema }

  /// Whether the object was deleted.
  public var isInvalidated: Bool { isDeleted || table.context.isOver }

  private func value(_ slot: Int) -> Any? {
    if let statement, let value = table.types[slot].dynamicColumn(statement, table.positions[slot])
    {
      return value
    }
    guard let stored = storedElement(slot) else { return nil }
    switch table.types[slot] {
    case .object:
      return table.context.linkedObject(stored, table.properties[slot].objectClassName, of: table)
    case .any:
      if stored.linkedClassName != nil {
        return table.context.linkedObject(stored, stored.linkedClassName, of: table)
      }
      if let value = AnyRealmValue(stored) { return value.rawValue }
    default:
      if let value = table.properties[slot].dynamicValue(stored.value) { return value }
    }
    table.context.reportUnreadable(table.properties[slot], of: self)
    return nil
  }

  /// A collection, or the objects that link to this one.
  private func derivedValue(_ name: String) -> Any? {
    if let collection = table.collections[name] {
      return table.context.collection(collection, of: self)
    }
    if table.isNew, let property = table.schema[name], property.isComputed {
      return table.context.objects(linkingTo: self, through: property)
    }
    table.context.fail(
      ErrorText.invalidPropertyName(
        name, table.className, known: table.schema.properties.map(\.name)))
    return nil
  }

  private func storedElement(_ slot: Int) -> _StoredElement? {
    if !writtenSlots.isEmpty, let value = written[slot] { return value }
    if let statement { return table.element(statement, slot) }
    if rowVersion != table.context.version {
      guard let values = table.context.fetchRow(self) else { return nil }
      row = values
      rowVersion = table.context.version
    }
    return row[slot]
  }

  private func usableSlot(_ name: String) -> Int? {
    guard table.context.canUse(self) else { return nil }
    if let slot = table.slot(name) { return slot }
    table.context.fail(
      ErrorText.invalidPropertyName(
        name, table.className, known: table.schema.properties.map(\.name)))
    return nil
  }

  private func writableSlot(_ name: String) -> Int? {
    guard let slot = usableSlot(name) else { return nil }
    if table.isNew { return slot }
    table.context.fail(ErrorText.outsideWrite + " ('\(table.className).\(name)' of an old object)")
    return nil
  }

  private func set(_ slot: Int, converting value: Any?) {
    let property = table.properties[slot]
    let child = table.context.embeddedTarget(of: property)
    if child != nil, let value = value as? DynamicObject,
      value == self.value(slot) as? DynamicObject
    {
      return
    }
    let stored = table.context.attempt {
      try table.context.element(of: value, for: property, of: table.className)
    }
    guard let stored else { return }
    guard let child else { return set(slot, stored) }
    // The one that is replaced goes by a trigger.
    table.context.changeChildren(of: child) {
      set(slot, stored)
      if hasChanges { table.context.write(self) }
    }
  }

  private func set(_ slot: Int, _ value: StoredValue) {
    set(slot, _StoredElement(value))
  }

  private func set(_ slot: Int, _ value: _StoredElement) {
    if written.isEmpty { written = Array(repeating: nil, count: table.properties.count) }
    if written[slot] == nil { writtenSlots.append(slot) }
    written[slot] = value
    if !isInLoop { table.context.write(self) }
  }

  /// Whether a loop writes the changes when the closure returns.
  @exclusivity(unchecked) var isInLoop = false

  /// The changes that are not yet written, in order; the object then has none.
  func takeChanges(_ body: ([Int], [_StoredElement?]) throws -> Void) throws {
    guard !writtenSlots.isEmpty else { return }
    defer {
      for slot in writtenSlots { written[slot] = nil }
      writtenSlots.removeAll(keepingCapacity: true)
    }
    try body(writtenSlots, written)
  }

  var hasChanges: Bool { !writtenSlots.isEmpty }
}

extension DynamicObject: CustomStringConvertible, NestedDescription {
  /// The class and its properties, as RealmSwift prints them.
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    guard depth > 0 else { return Self.tooDeep }
    guard !isInvalidated else { return "[invalid object]" }
    let lines = table.schema.properties.filter { !$0.isComputed }.map { property in
      let value = describeValue(self[property.name] as Any?, depth: depth - 1)
      return "\t\(property.name) = \(indented(value));\n"
    }
    return "\(table.className) {\n\(lines.joined())}"
  }
}

extension DynamicObject: Hashable {
  /// Whether both are the same row of the same side.
  public static func == (first: DynamicObject, second: DynamicObject) -> Bool {
    first === second
      || (first.rowID == second.rowID && first.table.className == second.table.className
        && first.table.isNew == second.table.isNew && first.table.context === second.table.context)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rowID) }
}

extension DynamicObject: PropertySource {
  var sourceClassName: String { table.className }
  func hasProperty(_ name: String) -> Bool { table.schema[name] != nil }
  func propertyValue(_ name: String) -> Any? { self[name] as Any? }
}
