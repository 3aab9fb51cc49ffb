/// The properties of a table that are in columns, by slots.
struct TableSlots {
  let properties: [Property]
  /// Of each property; asked for with each value.
  let types: ContiguousArray<PropertyType>
  /// Of each property the class that it links to.
  let linkTargets: ContiguousArray<String?>
  /// The columns of each property, quoted.
  let columns: [[String]]
  /// Where the columns of each begin in a row, behind the identity.
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
/// It remembers which slot was asked for next the last time: closures go through the same
/// properties in the same order for each row.
struct SlotNames: ~Copyable {
  private let names: UnsafeMutablePointer<String>
  /// Behind each slot, and before the first.
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

  /// The slot of a property; nil when there is none of that name.
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
    // The same literal compares faster than an equal text.
    names[slot] = property
    successors[last] = slot
    last = slot + 1
    return slot
  }
}
