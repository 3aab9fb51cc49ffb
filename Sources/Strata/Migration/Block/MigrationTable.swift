import GRDB

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
  let name: String
  /// A rename of a property may give it another name.
  var identity: String
  /// The columns of each property that is in columns, quoted.
  let columns: [[String]]
  /// Where the columns of each begin in a row, behind the identity.
  let positions: ContiguousArray<Int32>
  /// The collections by the names that the side uses.
  let collections: [String: CollectionInfo]
  /// The names of the properties, and behind each, and before the first, the slot that was asked for
  /// next the last time: closures go through the same properties in the same order for each row.
  private let names: UnsafeMutablePointer<String>
  private let successors: UnsafeMutablePointer<Int>
  @exclusivity(unchecked) private var last = 0

  /// - Parameters:
  ///   - className: The name that the class has now, where it differs from that in the file.
  ///   - identity: The name of the identity, where columns that are to go give it another one than
  ///     the schema does.
  init(
    _ schema: ObjectSchema, className: String? = nil, identity: String?, isNew: Bool,
    context: MigrationContext
  ) {
    let stored = schema.properties.filter(\.isStoredInColumn)
    self.schema = schema
    self.isNew = isNew
    isEmbedded = context.physical[className ?? schema.className]?.isEmbedded == true
    self.context = context
    self.className = className ?? schema.className
    name = SQLName.quote(schema.className)
    self.identity = SQLName.quote(identity ?? schema.identityColumn)
    columns = stored.map { $0.columns.map { SQLName.quote($0.name) } }
    var next: Int32 = 1
    positions = ContiguousArray(
      columns.map { columns in
        defer { next += Int32(columns.count) }
        return next
      })
    let collections = schema.properties.filter { $0.collection != nil }
    self.collections = Dictionary(
      collections.map { ($0.name, CollectionInfo(className: schema.className, $0)) }
    ) { first, _ in first }
    properties = stored
    types = ContiguousArray(stored.map(\.type))
    linkTargets = ContiguousArray(
      stored.map { $0.type == .object ? $0.objectClassName ?? "" : nil })
    primaryKeySlot = stored.firstIndex { $0.name == schema.primaryKey }
    names = .allocate(capacity: stored.count + 1)
    names.initialize(repeating: "", count: stored.count + 1)
    for (slot, property) in stored.enumerated() { names[slot] = property.name }
    successors = .allocate(capacity: stored.count + 1)
    successors.initialize(repeating: 0, count: stored.count + 1)
  }

  deinit {
    names.deinitialize(count: properties.count + 1)
    names.deallocate()
    successors.deallocate()
  }

  /// The properties that are in columns, by slot.
  let properties: [Property]
  /// Of each property; asked for with each value.
  let types: ContiguousArray<PropertyType>
  let primaryKeySlot: Int?
  /// Of each property the class that it links to.
  let linkTargets: ContiguousArray<String?>

  /// The position of a property; nil when the side has none of that name.
  @inline(__always)
  func slot(_ property: String) -> Int? {
    let guess = successors[last]
    if names[guess] == property {
      last = guess + 1
      return guess
    }
    return search(property)
  }

  private func search(_ property: String) -> Int? {
    guard let slot = properties.firstIndex(where: { $0.name == property }) else { return nil }
    // The same literal compares faster than an equal text.
    names[slot] = property
    successors[last] = slot
    last = slot + 1
    return slot
  }

  /// The connection that its rows are on.
  var db: Database { isNew ? context.new(for: className) : context.old }

  /// By slots of another table of the same class, the slot of this one that keeps the same; -1 for
  /// none.
  func slots(of other: MigrationTable) -> ContiguousArray<Int> {
    ContiguousArray(
      other.properties.map { property in
        let slot = properties.firstIndex { SQLName.same($0.columnName, property.columnName) }
        guard let slot, context.keepsValues(properties[slot], as: property),
          property.isNullable || !properties[slot].isNullable
        else { return -1 }
        return slot
      })
  }

  /// The value of a property in the current row of a statement that was made of ``select``.
  func element(_ statement: OpaquePointer, _ slot: Int) -> _StoredElement {
    element(statement, slot, at: positions[slot])
  }

  /// The value of a property in the current row of a statement that has it elsewhere.
  func element(_ statement: OpaquePointer, _ slot: Int, at position: Int32) -> _StoredElement {
    types[slot] == .any
      ? _StoredElement(statement, position)
      : _StoredElement(StoredValue(statement, column: position))
  }

  /// Notes that the block looked at a property of the old side.
  func noteRead(_ slot: Int) {
    context.noteCarried([properties[slot].columnName], of: className)
  }

  /// Notes what a loop has read.
  func noteRead(by reader: RowReader) {
    for slot in properties.indices where reader.hasRead(slot) { noteRead(slot) }
  }

  /// Goes through the rows.
  func reader() throws -> RowReader {
    try RowReader(db, table: name, identity: identity, columns: columns)
  }

  var select: String {
    "SELECT \(([identity] + columns.joined()).joined(separator: ", ")) FROM \(name)"
  }
}
