import StrataStorage

/// The table of a class on one side of a migration: the old rows, or the new rows that are written.
final class MigrationTable {
  /// The current name of the class, on both sides.
  @exclusivity(unchecked) var className: String
  /// The properties by the side's names: column names on the old side, model names on the new side.
  let schema: ObjectSchema
  let isNew: Bool
  /// Whether the objects are embedded now. Classes become embedded after the block.
  let isEmbedded: Bool
  let context: MigrationContext
  /// The quoted name of the table.
  let name: String
  /// The quoted name of the identity column, which a rename of a property may change.
  var identity: String
  let slots: TableSlots
  @exclusivity(unchecked) private var names: SlotNames
  let primaryKeySlot: Int?
  /// The collections by the side's names.
  let collections: [String: CollectionInfo]

  /// - Parameters:
  ///   - className: The current name of the class, if it differs from the name in the file.
  ///   - identity: The name of the identity column, if columns that are still to be dropped force
  ///     another name than the schema's.
  init(
    _ schema: ObjectSchema, className: String? = nil, identity: String?, isNew: Bool,
    context: MigrationContext
  ) {
    self.schema = schema
    self.isNew = isNew
    isEmbedded = context.classes.physical[className ?? schema.className]?.isEmbedded == true
    self.context = context
    self.className = className ?? schema.className
    name = SQLName.quote(schema.className)
    self.identity = SQLName.quote(identity ?? schema.identityColumn)
    slots = TableSlots(schema)
    names = SlotNames(slots)
    primaryKeySlot = slots.properties.firstIndex { $0.name == schema.primaryKey }
    let collections = schema.properties.filter { $0.collection != nil }
    self.collections = Dictionary(
      collections.map { ($0.name, CollectionInfo(className: schema.className, $0)) }
    ) { first, _ in first }
  }

  /// The properties in columns, by slot.
  var properties: [Property] { slots.properties }

  /// Returns a collection of the class, with its table in the file.
  func collection(_ property: Property) -> CollectionInfo {
    collections[property.name] ?? CollectionInfo(className: schema.className, property)
  }

  @inline(__always)
  func slot(_ property: String) -> Int? { names.slot(property, slots.properties) }

  /// Returns, for each slot of another table of the class, the slot of this table with the same
  /// value, or -1.
  func slots(of other: MigrationTable) -> ContiguousArray<Int> {
    ContiguousArray(
      other.properties.map { property in
        let slot = properties.firstIndex { SQLName.same($0.columnName, property.columnName) }
        guard let slot, context.classes.keepsValues(properties[slot], as: property),
          property.isNullable || !properties[slot].isNullable
        else { return -1 }
        return slot
      })
  }

  /// Whether a property may be set: fails the migration if the objects are old ones.
  func canWrite(_ property: String, of className: String) -> Bool {
    if !isNew {
      context.status.fail("\(ErrorText.outsideWrite) ('\(className).\(property)' of an old object)")
    }
    return isNew
  }

  // MARK: Rows

  /// Returns access to single rows, after writing all pending changes of the class, or of all
  /// classes.
  func flushedRows(all: Bool = false) -> TableRows {
    TableRows(db: context.flush(self, all: all), table: name, identity: identity)
  }

  /// Returns a reader of all rows, or of a query's rows, with all columns or only the columns of
  /// one slot.
  func makeReader(only slot: Int? = nil, finding query: QuerySQL? = nil) throws -> RowReader {
    try RowReader(
      context.flush(self), query ?? allRows, identity: identity,
      columns: slot.map { [slots.columns[$0]] } ?? slots.columns)
  }

  /// The query for all rows, in the order of their identities.
  var allRows: QuerySQL {
    QuerySQL(tables: "\(name) AS t", condition: nil, order: "t.\(identity)", parameters: [])
  }

  /// Returns a property's value in the current row of a statement with all columns.
  func element(_ statement: OpaquePointer, _ slot: Int) -> _StoredElement {
    element(statement, slot, at: slots.positions[slot])
  }

  /// Returns a property's value at a position in the current row of a statement.
  func element(_ statement: OpaquePointer, _ slot: Int, at position: Int32) -> _StoredElement {
    slots.types[slot] == .any
      ? _StoredElement(RowValues(of: statement), position)
      : _StoredElement(StoredValue(statement, column: position))
  }

  /// Records that the block has read a property of the old side.
  func recordRead(_ slot: Int) {
    context.notes.recordCarried([properties[slot].columnName], of: className)
  }

  /// Records the properties that a loop has read.
  func recordRead(by reader: RowReader) {
    for slot in properties.indices where reader.hasRead(slot) { recordRead(slot) }
  }
}

/// The properties of a table that are in columns, by slots.
struct TableSlots {
  let properties: [Property]
  /// The type of each property, cached because each access to a value needs it.
  let types: ContiguousArray<PropertyType>
  let linkTargets: ContiguousArray<String?>
  /// The quoted columns of each property.
  let columns: [[String]]
  /// The position of each property's first column in a row, after the identity.
  let positions: ContiguousArray<Int32>

  init(_ schema: ObjectSchema) {
    properties = schema.properties.filter(\.isStoredInColumn)
    types = ContiguousArray(properties.map(\.type))
    linkTargets = ContiguousArray(
      properties.map { $0.type == .object ? $0.objectClassName ?? "" : nil })
    columns = properties.map { $0.columns.map { SQLName.quote($0.name) } }
    var next: Int32 = 1
    positions = ContiguousArray(
      columns.map { columns in
        defer { next += Int32(columns.count) }
        return next
      })
  }
}

/// The slots of properties, by their names.
///
/// Remembers which slot followed each one last time: closures access the same properties in the
/// same order for each row.
struct SlotNames: ~Copyable {
  private let names: UnsafeMutablePointer<String>
  /// The successor of each slot, and of the begin.
  private let successors: UnsafeMutablePointer<Int>
  private var last = 0
  private let count: Int

  init(_ slots: TableSlots) {
    count = slots.properties.count
    names = .allocate(capacity: count + 1)
    names.initialize(repeating: "", count: count + 1)
    for (slot, property) in slots.properties.enumerated() { names[slot] = property.name }
    successors = .allocate(capacity: count + 1)
    successors.initialize(repeating: 0, count: count + 1)
  }

  deinit {
    names.deinitialize(count: count + 1)
    names.deallocate()
    successors.deallocate()
  }

  @inline(__always)
  mutating func slot(_ property: String, _ properties: [Property]) -> Int? {
    let guess = successors[last]
    if names[guess] == property {
      last = guess + 1
      return guess
    }
    return search(property, properties)
  }

  private mutating func search(_ property: String, _ properties: [Property]) -> Int? {
    guard let slot = properties.firstIndex(where: { $0.name == property }) else { return nil }
    // Keeps the caller's string: comparing the same literal is faster than comparing equal strings.
    names[slot] = property
    successors[last] = slot
    last = slot + 1
    return slot
  }
}
