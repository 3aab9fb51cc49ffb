import StrataStorage

/// A creator of objects from dictionaries whose values are scalars or new objects, as most blocks
/// use. Rows are written in batches.
final class PlainCreation {
  let table: MigrationTable
  private let info: ClassInfo
  private let inserter: RowInserter
  /// The properties in columns, in their order.
  private let columns: [Column]
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
      let inserter = try Self.makeInserter(table, columns: names)
    else { return nil }
    self.table = table
    self.info = info
    self.inserter = inserter
    self.columns = columns
    self.leftovers = leftovers.map { .zero(for: $0.type) }
    if table.schema.primaryKey != nil { try context.suspendPrimaryKey(of: info.className) }
  }

  /// Returns the inserter of rows; nil if there are no identities for them.
  private static func makeInserter(
    _ table: MigrationTable, columns: [String]
  ) throws -> RowInserter? {
    let context = table.context
    return try RowInserter(
      context.flush(table), table: table.className,
      identity: context.classes.physical[table.className]?.identityColumn
        ?? table.schema.identityColumn,
      columns: columns)
  }

  /// Creates an object. Returns nil, without creating anything, if a value isn't plain.
  func create(_ values: [String: Any]) throws -> Int64? {
    let rows = inserter.rows
    guard try set(values) else {
      rows.forgetCurrent()
      return nil
    }
    for (index, value) in leftovers.enumerated() { rows.set(columns.count + index, value) }
    created += 1
    let row = inserter.add()
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
    for (index, column) in columns.enumerated() {
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
