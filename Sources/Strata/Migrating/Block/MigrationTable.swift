import StrataStorage

/// One class as one side of a migration sees it: the rows before, or the rows that are being made.
final class MigrationTable {
  /// The name that the class has now, on either side.
  @exclusivity(unchecked) var className: String
  /// The properties by the names that the side uses: those of columns before, of the model after.
  let schema: ObjectSchema
  let isNew: Bool
  /// Whether the objects are parts of others. Classes become embedded ones after the block.
  let isEmbedded: Bool
  let context: MigrationContext
  /// The name of the table, quoted.
  let name: String
  /// The name of the identity, quoted. A rename of a property may give it another name.
  var identity: String
  let slots: TableSlots
  @exclusivity(unchecked) private var names: SlotNames
  let primaryKeySlot: Int?
  /// The collections by the names that the side uses.
  let collections: [String: CollectionInfo]

  /// - Parameters:
  ///   - className: The name that the class has now, where it differs from that in the file.
  ///   - identity: The name of the identity, where columns that are to be removed give it another
  ///     one than the schema does.
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

  /// The properties that are in columns, by slot.
  var properties: [Property] { slots.properties }

  /// A collection of the class, with the table that it has in the file.
  func collection(_ property: Property) -> CollectionInfo {
    collections[property.name] ?? CollectionInfo(className: schema.className, property)
  }

  /// The slot of a property; nil when the side has none of that name.
  @inline(__always)
  func slot(_ property: String) -> Int? { names.slot(property, slots.properties) }

  /// By slots of another table of the same class, the slot of this one that keeps the same; -1 for
  /// none.
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

  // MARK: Rows

  /// Its rows one by one, with everything written that has been set in the class, or in all
  /// classes.
  func flushedRows(all: Bool = false) -> TableRows {
    TableRows(db: context.flush(self, all: all), table: name, identity: identity)
  }

  /// Goes through the rows, or those that a query finds, with all columns or those of one slot.
  func makeReader(only slot: Int? = nil, finding query: QuerySQL? = nil) throws -> RowReader {
    try RowReader(
      context.flush(self), query ?? allRows, identity: identity,
      columns: slot.map { [slots.columns[$0]] } ?? slots.columns)
  }

  private var allRows: QuerySQL {
    QuerySQL(tables: "\(name) AS t", condition: nil, order: "t.\(identity)", parameters: [])
  }

  /// The value of a property in the current row of a statement that has all columns.
  func element(_ statement: OpaquePointer, _ slot: Int) -> _StoredElement {
    element(statement, slot, at: slots.positions[slot])
  }

  /// The value of a property in the current row of a statement that has it elsewhere.
  func element(_ statement: OpaquePointer, _ slot: Int, at position: Int32) -> _StoredElement {
    slots.types[slot] == .any
      ? _StoredElement(RowValues(of: statement), position)
      : _StoredElement(StoredValue(statement, column: position))
  }

  /// Notes that the block looked at a property of the old side.
  func noteRead(_ slot: Int) {
    context.notes.noteCarried([properties[slot].columnName], of: className)
  }

  /// Notes what a loop has read.
  func noteRead(by reader: RowReader) {
    for slot in properties.indices where reader.hasRead(slot) { noteRead(slot) }
  }
}
