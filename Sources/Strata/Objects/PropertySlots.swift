/// The slots of the properties of a class, by what they are.
struct PropertySlots: Sendable {
  /// The properties that are in columns of the table.
  let inColumns: [_PropertySlot]
  let links: [_PropertySlot]
  let collections: [_PropertySlot]
  /// The properties that values can be given for, in the order of an array of them: all but
  /// linking objects.
  let settable: [_PropertySlot]
  /// The first column of each property, among those of the table without the identity.
  private let columns: SlotArray<Int32>
  private let byName: [String: _PropertySlot]

  init(_ properties: SlotArray<Property>, _ accessors: SlotArray<_PropertyAccessor>) {
    inColumns = accessors.indices.filter { accessors[$0].columns > 0 }
    var position: Int32 = 0
    columns = SlotArray(
      accessors.map { accessor in
        defer { position += accessor.columns }
        return position
      })
    links = accessors.indices.filter { accessors[$0].takeLink != nil }
    collections = accessors.indices.filter { accessors[$0].collection != nil }
    settable = properties.indices.filter { !properties[$0].isComputed }
    byName = Dictionary(properties.indices.map { (properties[$0].name, $0) }) { first, _ in first }
  }

  /// The slot of a property, by its Swift name.
  subscript(name: String) -> _PropertySlot? { byName[name] }

  /// The first column of a property that has any, among those of the table without the identity.
  func column(of slot: _PropertySlot) -> Int32 { columns[slot] }
}
