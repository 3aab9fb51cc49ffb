/// The properties of a table that are in columns, by slots.
struct TableSlots {
  let properties: [Property]
  /// The type of each property, cached because each access to a value needs it.
  let types: ContiguousArray<PropertyType>
  /// The class that each property links to.
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

  /// Returns the slot of a property; nil for an unknown name.
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
