import StrataStorage

/// A creator of new objects, from values and from the objects that these contain.
///
/// The row of an object is created before its linked objects are, so that cycles end. Linked
/// objects wait in a queue, so that a long chain needs no deep recursion.
final class MigrationCreator {
  private let context: MigrationContext
  private let copying: Bool
  /// The rows whose links and collections are still to be set.
  private var queue: [(table: MigrationTable, row: Int64, draft: Draft)] = []
  private var next = 0
  /// The rows of copies, by class and by the original: an object of a migration, or an unmanaged
  /// object.
  private var copies: [String: [DynamicObject: Int64]] = [:]
  private var copiesOfObjects: [String: [ObjectBase: Int64]] = [:]

  /// The values that a new row gets when it is inserted, and the values that are set afterwards.
  private struct Draft {
    var elements: [TableRows.Value] = []
    var links: [(property: Property, value: Any?)] = []
    var collections: [(info: CollectionInfo, value: Any?)] = []
  }

  private init(_ context: MigrationContext, copying: Bool) {
    self.context = context
    self.copying = copying
  }

  /// Creates an object. Returns its row.
  ///
  /// - Parameter copying: Whether unmanaged objects in the value are copied, and not added to the
  ///   file themselves.
  static func create(
    _ className: String, value: Any, copying: Bool, in context: MigrationContext
  ) throws(RealmError) -> Int64 {
    // A nested call: the running creator continues with this object.
    if let current = context.creations.creator { return try current.object(className, value) }
    let creator = MigrationCreator(context, copying: copying)
    context.creations.creator = creator
    defer { context.creations.creator = nil }
    let row = try creator.object(className, value)
    while creator.next < creator.queue.count {
      let (table, row, draft) = creator.queue[creator.next]
      creator.next += 1
      try creator.finish(table, row, draft)
    }
    return row
  }

  /// Creates the row of an object. The values inside of its value are queued.
  private func object(_ className: String, _ value: Any) throws(RealmError) -> Int64 {
    guard let table = context.newTable(className) else {
      throw RealmError(.fail, ErrorText.notManaged(className))
    }
    // An unmanaged object that was created before is represented by its row where it is linked
    // again.
    let value = instance(of: ObjectBase.self, value)?.migrationRow ?? value
    try context.checkIsOfThis(unwrapped(value))
    if let row = copy(of: value, table) {
      guard !table.isEmbedded else {
        throw RealmError(.fail, ErrorText.embeddedTwice(className))
      }
      return row
    }
    let draft =
      if let info = context.classes.discovered.classes[className] {
        try draft(of: value, table, info)
      } else {
        try draft(of: value, table)
      }
    let row = try context.insertRow(into: table, draft.elements)
    remember(value, row, table)
    if !draft.links.isEmpty || !draft.collections.isEmpty {
      queue.append((table, row, draft))
    }
    return row
  }

  private func copy(of value: Any, _ table: MigrationTable) -> Int64? {
    switch instance(of: AnyObject.self, value) {
    case let original as DynamicObject: copies[table.className]?[original]
    case let original as ObjectBase: copiesOfObjects[table.className]?[original]
    default: nil
    }
  }

  private func remember(_ value: Any, _ row: Int64, _ table: MigrationTable) {
    if let original = instance(of: DynamicObject.self, value) {
      // Each reference to an embedded object gets a copy of its own.
      guard !(table.isEmbedded && original.isEmbeddedRow) else { return }
      copies[table.className, default: [:]][original] = row
    }
    guard let original = instance(of: ObjectBase.self, value) else { return }
    if copying {
      copiesOfObjects[table.className, default: [:]][original] = row
    } else {
      context.creations.promoted[original] = row
    }
  }

  private func finish(
    _ table: MigrationTable, _ row: Int64, _ draft: Draft
  ) throws(RealmError) {
    var links: [TableRows.Value] = []
    for (property, value) in draft.links {
      links.append((property, try element(of: value, property, table)))
    }
    try context.updateRow(row, of: table, links)
    for (info, value) in draft.collections {
      let rows = MigrationCollection(info, of: DynamicObject(table, row: row))
      try context.assign(value, to: rows, copying: copying)
    }
  }

  private func element(
    of value: Any?, _ property: Property, _ table: MigrationTable
  ) throws(RealmError) -> _StoredElement {
    try context.element(of: value, for: property, of: table.className, copying: copying)
  }

  // MARK: Classes of the program

  private func draft(
    of value: Any, _ table: MigrationTable, _ info: ClassInfo
  ) throws(RealmError) -> Draft {
    let object = info.type.init()
    var links: [_PropertySlot: Any?] = [:]
    var draft = Draft()
    var givenCollections: Set<_PropertySlot> = []
    for (slot, value) in try info.values(from: value) where !info.properties[slot].isComputed {
      let property = info.properties[slot]
      if property.collection != nil {
        givenCollections.insert(slot)
        draft.collections.append((table.collection(property), value))
      } else if property.isLink {
        links[slot] = .some(value)
      } else {
        try object.setValue(value, slot: slot, info)
      }
    }
    let base = Unmanaged.passUnretained(object).toOpaque()
    for slot in info.slots.inColumns {
      let property = info.properties[slot]
      guard property.isLink else {
        draft.elements.append((property, try info.storedElement(slot, of: object)))
        continue
      }
      // The class's own value for new objects, if the given value has none.
      let value = links[slot] ?? info.accessors[slot].dynamic(base)
      if isPresent(value) {
        draft.elements.append((property, try element(of: value, property, table)))
      } else {
        draft.elements.append((property, .null))
        draft.links.append((property, value))
      }
    }
    for slot in info.slots.collections where !givenCollections.contains(slot) {
      guard let collection = info.accessors[slot].collection?(base), collection.count > 0 else {
        continue
      }
      draft.collections.append((table.collection(info.properties[slot]), collection))
    }
    withExtendedLifetime(object) {}
    return draft
  }

  /// Returns whether a value of a link requires no new object.
  private func isPresent(_ value: Any?) -> Bool {
    switch value {
    case nil: true
    case let object as DynamicObject:
      object.object == nil && object.table.isNew && !object.table.isEmbedded
    case is ObjectBase, is AnyRealmValue, is [String: Any?], is [Any?]: false
    default: true
    }
  }

  // MARK: Classes of a frozen schema

  /// Returns a draft in which properties without a value are nil, or the zero of their type: a
  /// frozen schema has no Swift defaults.
  private func draft(of value: Any, _ table: MigrationTable) throws(RealmError) -> Draft {
    let given = try values(from: value, table)
    var draft = Draft()
    for property in table.properties {
      guard let value = unwrapped(given[property.name] ?? nil) else {
        let empty = _StoredElement(property.isNullable ? .null : .zero(for: property.type))
        draft.elements.append((property, empty))
        continue
      }
      if property.isLink {
        draft.elements.append((property, .null))
        draft.links.append((property, value))
      } else {
        draft.elements.append((property, try element(of: value, property, table)))
      }
    }
    for (name, info) in table.collections {
      if let value = given[name] { draft.collections.append((info, value)) }
    }
    return draft
  }

  private func values(
    from value: Any, _ table: MigrationTable
  ) throws(RealmError) -> [String: Any?] {
    let names = table.schema.properties.map(\.name)
    if let dictionary = unwrapped(value) as? [String: Any?],
      let unknown = dictionary.keys.sorted().first(where: { !names.contains($0) })
    {
      throw RealmError(
        .fail, ErrorText.invalidPropertyName(unknown, table.className, known: names))
    }
    let values = try propertyValues(
      from: value, of: table.className, slots: Array(names.indices), name: { names[$0] })
    return Dictionary(values.map { (names[$0.slot], $0.value) }) { first, _ in first }
  }
}

extension Property {
  /// Whether a value of the property may be another object.
  fileprivate var isLink: Bool { type == .object || type == .any }
}

extension DynamicObject {
  /// Whether the object is embedded in another one of its file. Then no cycle can lead back to it.
  fileprivate var isEmbeddedRow: Bool {
    if let object { return object is EmbeddedObject && object.managedContext != nil }
    return table.isNew ? table.isEmbedded : table.schema.isEmbedded
  }
}

/// A creator of objects from dictionaries whose values are scalars or new objects, as most blocks
/// use. Rows are written in batches.
final class PlainCreation {
  let table: MigrationTable
  private let info: ClassInfo
  private let inserter: RowInserter
  /// The properties in columns, in their order.
  private let columns: [Column]
  private var nextIdentity: Int64
  /// The number of rows created since the last flush.
  private var created = 0
  /// The values of columns that exist until the end of the block, some of which are NOT NULL.
  private let leftovers: [StoredValue]

  private struct Column {
    var slot: _PropertySlot
    var property: Property
    /// Whether the property takes every value of its column's type; false for enums, for example.
    var isPlain: Bool
  }

  /// Creates a creator; nil for a class whose rows can't be created in this way.
  init?(_ table: MigrationTable, _ info: ClassInfo, _ context: MigrationContext) throws {
    let columns = info.slots.inColumns.map { slot in
      Column(
        slot: slot, property: info.properties[slot], isPlain: info.accessors[slot].isPlain)
    }
    let leftovers = context.classes.leftovers(of: table.schema)
    let names = (columns.map(\.property) + leftovers).flatMap(\.columns).map(\.name)
    guard !info.isEmbedded, !names.isEmpty, !columns.contains(where: { $0.property.type == .any }),
      let next = try RowInserter.nextIdentity(
        context.flush(table), table: table.className, identity: Self.identity(of: table))
    else { return nil }
    self.table = table
    self.info = info
    nextIdentity = next
    inserter = RowInserter(
      context.flush(table), table: table.className, columns: [Self.identity(of: table)] + names)
    self.columns = columns
    self.leftovers = leftovers.map { .zero(for: $0.type) }
    if table.schema.primaryKey != nil { try context.suspendPrimaryKey(of: info.className) }
  }

  private static func identity(of table: MigrationTable) -> String {
    table.context.classes.physical[table.className]?.identityColumn ?? table.schema.identityColumn
  }

  /// Creates an object. Returns nil, without creating anything, if a value isn't plain.
  func create(_ values: [String: Any]) throws -> Int64? {
    let rows = inserter.rows
    guard try set(values) else {
      rows.forgetCurrent()
      return nil
    }
    for (index, value) in leftovers.enumerated() { rows.set(1 + columns.count + index, value) }
    created += 1
    let row = nextIdentity
    nextIdentity += 1
    rows.set(0, .integer, row)
    rows.finish(row)
    if rows.isFull {
      try table.context.new.background.wait()
      try flush()
    } else if rows.isHalfFull {
      table.context.new.hasManyCreated = true
    }
    return row
  }

  private func set(_ values: [String: Any]) throws -> Bool {
    var defaults: ObjectBase?
    if !info.slots.collections.isEmpty {
      guard !info.slots.collections.contains(where: { values[info.properties[$0].name] != nil })
      else { return false }
      let object = info.type.init()
      guard info.hasEmptyCollections(object) else { return false }
      defaults = object
    }
    for (index, column) in zip(1..., columns) {
      if let value = values[column.property.name] {
        guard set(index, column, value) else { return false }
        continue
      }
      let object = defaults ?? info.type.init()
      defaults = object
      // A class's default may be an object.
      guard column.property.type != .object || info.dynamicValue(column.slot, of: object) == nil
      else { return false }
      inserter.rows.set(index, try info.storedValue(column.slot, of: object))
    }
    return true
  }

  private func set(_ index: Int, _ column: Column, _ value: Any) -> Bool {
    let rows = inserter.rows
    if column.isPlain {
      if rows.set(index, exactly: value, column.property.type) { return true }
      guard let stored = column.property.storedValue(unwrapped(value)) else { return false }
      rows.set(index, stored)
      return true
    }
    guard let target = column.property.objectClassName, let object = value as? DynamicObject,
      table.context.isLinkable(object, target)
    else { return false }
    rows.set(index, .integer, object.rowID)
    return true
  }

  func flush() throws {
    try inserter.flush()
    recordCreated()
  }

  /// Writes the created rows, while the block continues.
  func flush(in background: BackgroundWork) throws {
    try inserter.flush(in: background)
    recordCreated()
  }

  private func recordCreated() {
    table.context.new.accounts.recordCreated(info.className, rows: created)
    created = 0
  }
}

extension ClassInfo {
  fileprivate func hasEmptyCollections(_ object: ObjectBase) -> Bool {
    withExtendedLifetime(object) {
      let base = Unmanaged.passUnretained(object).toOpaque()
      return slots.collections.allSatisfy { accessors[$0].collection?(base).count ?? 0 == 0 }
    }
  }
}
