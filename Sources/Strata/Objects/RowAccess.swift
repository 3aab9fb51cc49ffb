import Foundation

/// An accessor of the columns of whole objects.
///
/// A table of what to do, not closures: those would be a chain of calls for each object, and all
/// threads would count references to the same ones.
struct RowAccess: @unchecked Sendable {
  // guarded by: nothing; immutable, and never freed, as descriptions of classes are kept for good.
  typealias Base = _PropertyAccessor.Base

  private struct Column {
    var kind: ColumnKind
    /// The property.
    var slot: UInt16
    /// The first column, that of the identity not counted.
    var position: Int32
    /// Of the wrapper in the object.
    var offset: Int
  }

  private let columns: UnsafeBufferPointer<Column>
  /// Where each wrapper has the number of its property.
  private let slotOffsets: UnsafeBufferPointer<Int>
  private let accessors: UnsafeBufferPointer<_PropertyAccessor>

  /// - Parameters:
  ///   - slots: The properties that have columns.
  ///   - positions: The first column of each.
  init(
    _ accessors: ContiguousArray<_PropertyAccessor>, _ slots: [Int], _ positions: [Int32]
  ) {
    self.accessors = Self.kept(accessors)
    columns = Self.kept(
      zip(slots, positions).map { slot, position in
        Column(
          kind: accessors[slot].kind, slot: UInt16(slot), position: position,
          offset: accessors[slot].offset)
      })
    slotOffsets = Self.kept(accessors.map(\.slotOffset))
  }

  /// Whether each property reads just the value that was written: not those of the program's own
  /// types.
  var readsWhatIsWritten: Bool { columns.allSatisfy { $0.kind != .other } }

  /// A copy in memory of its own: who uses it counts no references.
  private static func kept<Element>(
    _ elements: some Collection<Element>
  ) -> UnsafeBufferPointer<Element> {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = memory.initialize(fromContentsOf: elements)
    return UnsafeBufferPointer(memory)
  }

  /// Tells each wrapper which property of its object it is.
  @inline(__always)
  func setSlots(_ base: Base) {
    for (slot, offset) in slotOffsets.enumerated() {
      (base + offset).storeBytes(of: UInt16(truncatingIfNeeded: slot), as: UInt16.self)
    }
  }

  /// Reads the current row, whose first column is the identity; false when a column held no value
  /// of its property's type, which has the type's zero then.
  func read(_ base: Base, _ statement: OpaquePointer) -> Bool {
    var isRead = true
    for column in columns where !read(column, base, statement) { isRead = false }
    return isRead
  }

  @inline(__always)
  private func read(_ column: Column, _ base: Base, _ statement: OpaquePointer) -> Bool {
    let wrapper = base + column.offset
    let index = column.position + 1
    return switch column.kind {
    case .int: read(Int.self, wrapper, statement, index)
    case .bool: read(Bool.self, wrapper, statement, index)
    case .double: read(Double.self, wrapper, statement, index)
    case .string: read(String.self, wrapper, statement, index)
    case .date: read(Date.self, wrapper, statement, index)
    case .uuid: read(UUID.self, wrapper, statement, index)
    case .optionalInt: read(Int?.self, wrapper, statement, index)
    case .optionalBool: read(Bool?.self, wrapper, statement, index)
    case .optionalDouble: read(Double?.self, wrapper, statement, index)
    case .optionalString: read(String?.self, wrapper, statement, index)
    case .optionalDate: read(Date?.self, wrapper, statement, index)
    case .optionalUUID: read(UUID?.self, wrapper, statement, index)
    case .link: object(at: base).readLink(column.slot, statement, index)
    case .other: accessors[Int(column.slot)].read(base, statement, index)
    }
  }

  @inline(__always)
  private func read<Value: _Scalar>(
    _: Value.Type, _ wrapper: Base, _ statement: OpaquePointer, _ index: Int32
  ) -> Bool {
    let wrapper = wrapper.assumingMemoryBound(to: Persisted<Value>.self)
    let value = Value._read(statement, index)
    wrapper.pointee.value = value ?? Value._zero()
    return value != nil
  }

  /// Binds all properties to the parameters from a position on; false when SQLite has no place for
  /// a value.
  func bind(_ base: Base, _ statement: OpaquePointer, _ index: Int32) -> Bool {
    for column in columns where !bind(column, base, statement, index + column.position) {
      return false
    }
    return true
  }

  @inline(__always)
  private func bind(
    _ column: Column, _ base: Base, _ statement: OpaquePointer, _ index: Int32
  ) -> Bool {
    let wrapper = base + column.offset
    return switch column.kind {
    case .int: bind(Int.self, wrapper, statement, index)
    case .bool: bind(Bool.self, wrapper, statement, index)
    case .double: bind(Double.self, wrapper, statement, index)
    case .string: bind(String.self, wrapper, statement, index)
    case .date: bind(Date.self, wrapper, statement, index)
    case .uuid: bind(UUID.self, wrapper, statement, index)
    case .optionalInt: bind(Int?.self, wrapper, statement, index)
    case .optionalBool: bind(Bool?.self, wrapper, statement, index)
    case .optionalDouble: bind(Double?.self, wrapper, statement, index)
    case .optionalString: bind(String?.self, wrapper, statement, index)
    case .optionalDate: bind(Date?.self, wrapper, statement, index)
    case .optionalUUID: bind(UUID?.self, wrapper, statement, index)
    case .link, .other: accessors[Int(column.slot)].bind(base, statement, index)
    }
  }

  @inline(__always)
  private func bind<Value: _Scalar>(
    _: Value.Type, _ wrapper: Base, _ statement: OpaquePointer, _ index: Int32
  ) -> Bool {
    wrapper.assumingMemoryBound(to: Persisted<Value>.self).pointee.value._bind(statement, index)
  }
}
