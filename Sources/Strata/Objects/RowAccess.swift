/// An accessor of the columns of whole objects.
///
/// Each closure is a chain through all properties. Calling the accessors one after the other would
/// count references to each of their closures, for each object again.
struct RowAccess: Sendable {
  typealias Base = _PropertyAccessor.Base

  /// Reads the current row, whose first column is the identity; false when a column held no value
  /// of its property's type, which has the type's zero then.
  let read: @Sendable (Base, OpaquePointer) -> Bool
  /// Binds all properties to the parameters from a position on; false when SQLite has no place for
  /// a value.
  let bind: @Sendable (Base, OpaquePointer, Int32) -> Bool
  /// Tells each wrapper which property of its object it is.
  let setSlots: @Sendable (Base) -> Void

  /// - Parameters:
  ///   - slots: The properties that have columns.
  ///   - positions: The first column of each.
  init(
    _ accessors: ContiguousArray<_PropertyAccessor>, _ slots: [Int], _ positions: [Int32]
  ) {
    var read: @Sendable (Base, OpaquePointer) -> Bool = { _, _ in true }
    var bind: @Sendable (Base, OpaquePointer, Int32) -> Bool = { _, _, _ in true }
    for (slot, position) in zip(slots, positions).reversed() {
      let accessor = accessors[slot]
      let (readOne, bindOne) = (Unchecked(accessor.read), Unchecked(accessor.bind))
      let (readRest, bindRest) = (read, bind)
      read = { base, statement in
        let isRead = readOne.value(base, statement, position + 1)
        return readRest(base, statement) && isRead
      }
      bind = { base, statement, index in
        bindOne.value(base, statement, index + position) && bindRest(base, statement, index)
      }
    }
    var setSlots: @Sendable (Base) -> Void = { _ in }
    for (slot, accessor) in accessors.enumerated().reversed() {
      let (setOne, setRest) = (Unchecked(accessor.setSlot), setSlots)
      setSlots = { base in
        setOne.value(base, UInt16(slot))
        setRest(base)
      }
    }
    self.read = read
    self.bind = bind
    self.setSlots = setSlots
  }

  /// The closures of accessors capture a number, and no more.
  private struct Unchecked<Value>: @unchecked Sendable {
    // guarded by: nothing; immutable.
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }
}
