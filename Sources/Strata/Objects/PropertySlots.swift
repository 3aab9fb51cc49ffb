/// The positions of the properties of a class, by what they are.
struct PropertySlots: Sendable {
  /// The properties that are in columns of the table, each with the position of its first column
  /// among those of the table without the identity.
  let inColumns: [Int]
  let columnPositions: [Int32]
  let links: [Int]
  let collections: [Int]
  /// The properties that values can be given for, in the order of an array of them: all but
  /// linking objects.
  let settable: [Int]
  private let byName: [String: Int]

  init(_ properties: [Property], _ accessors: ContiguousArray<_PropertyAccessor>) {
    inColumns = accessors.indices.filter { accessors[$0].columns > 0 }
    var position: Int32 = 0
    columnPositions = inColumns.map { slot in
      defer { position += accessors[slot].columns }
      return position
    }
    links = accessors.indices.filter { accessors[$0].takeLink != nil }
    collections = accessors.indices.filter { accessors[$0].collection != nil }
    settable = properties.indices.filter { !properties[$0].isComputed }
    byName = Dictionary(properties.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// The position of a property, by its Swift name.
  subscript(name: String) -> Int? { byName[name] }
}
