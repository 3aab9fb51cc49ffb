import GRDB

/// One class as one side of a migration sees it: the rows before, or the rows that are being made.
final class MigrationTable {
  let className: String
  /// The properties by the names that the side uses: those of columns before, of the model after.
  let schema: ObjectSchema
  let isNew: Bool
  let context: MigrationContext
  let name: String
  let identity: String
  /// The columns of each property that is in columns, quoted.
  let columns: [[String]]
  /// Where the columns of each begin in a row, behind the identity.
  let positions: ContiguousArray<Int32>
  /// The collections by the names that the side uses.
  let collections: [String: CollectionInfo]
  private let slots: [String: Int]
  @exclusivity(unchecked) private var names: [String]
  /// The slot after the one that was asked for last: closures go through the same properties,
  /// mostly in the same order, for each row.
  @exclusivity(unchecked) private var guess = 0

  /// - Parameter identity: The name of the identity, where columns that are to go give it another
  ///   one than the schema does.
  init(
    _ schema: ObjectSchema, identity: String?, isNew: Bool, context: MigrationContext
  ) {
    let stored = schema.properties.filter(\.isStoredInColumn)
    self.schema = schema
    self.isNew = isNew
    self.context = context
    className = schema.className
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
    primaryKeySlot = stored.firstIndex { $0.name == schema.primaryKey }
    names = stored.map(\.name)
    slots = Dictionary(stored.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// The properties that are in columns, by slot.
  let properties: [Property]
  /// Of each property; asked for with each value.
  let types: ContiguousArray<PropertyType>
  let primaryKeySlot: Int?

  /// The position of a property; nil when the side has none of that name.
  @inline(__always)
  func slot(_ property: String) -> Int? {
    if guess < names.count, names[guess] == property {
      let slot = guess
      guess = slot + 1
      return slot
    }
    return search(property)
  }

  private func search(_ property: String) -> Int? {
    guard let slot = slots[property] else { return nil }
    guess = slot + 1
    return slot
  }

  /// The connection that its rows are on.
  var db: Database { isNew ? context.new(for: className) : context.old }

  /// By slots of another table of the same class, where a row of this one has the value that the
  /// other one keeps; 0 for nowhere.
  func positions(of other: MigrationTable) -> ContiguousArray<Int32> {
    ContiguousArray(
      other.properties.map { property in
        let slot = properties.firstIndex { SQLName.same($0.columnName, property.columnName) }
        guard let slot, properties[slot].typeName == property.typeName,
          property.isNullable || !properties[slot].isNullable
        else { return 0 }
        return positions[slot]
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

  var select: String {
    "SELECT \(([identity] + columns.joined()).joined(separator: ", ")) FROM \(name)"
  }
}
