import Foundation
import StrataSchema
import StrataStorage

/// An accessor of the columns of whole objects.
///
/// The accessor is a table of instructions. Closures would need a chain of calls for each object,
/// and all threads would count references to the same closures.
struct RowAccess: @unchecked Sendable {
  // guarded by: nothing; immutable, and never freed, as descriptions of classes are kept for good.
  typealias Base = _PropertyAccessor.Base

  private struct Column {
    var kind: ColumnKind
    var slot: _PropertySlot
    /// The first column, without counting the identity.
    var position: Int32
    /// The wrapper's offset in the object.
    var offset: Int
  }

  private let columns: UnsafeBufferPointer<Column>
  private let slotOffsets: UnsafeBufferPointer<(slot: _PropertySlot, offset: Int)>
  private let accessors: UnsafeBufferPointer<_PropertyAccessor>

  init(_ accessors: SlotArray<_PropertyAccessor>, _ slots: PropertySlots) {
    self.accessors = Self.kept(accessors)
    columns = Self.kept(
      slots.inColumns.map { slot in
        Column(
          kind: accessors[slot].kind, slot: slot, position: slots.column(of: slot),
          offset: accessors[slot].offset)
      })
    slotOffsets = Self.kept(accessors.indices.map { ($0, accessors[$0].slotOffset) })
  }

  /// Whether each property reads exactly the value that was written. False with custom types.
  var readsWhatIsWritten: Bool {
    columns.allSatisfy { $0.kind != .other && $0.kind != .custom }
  }

  /// Whether reading or writing some property runs the program's own code.
  var runsProgram: Bool { columns.contains { $0.kind == .custom } }

  /// Whether reading or writing one of the properties with columns runs the program's own code.
  func runsProgram(_ index: Int) -> Bool { columns[index].kind == .custom }

  /// A permanent copy in its own memory, so that access counts no references.
  private static func kept<Element>(
    _ elements: some Collection<Element>
  ) -> UnsafeBufferPointer<Element> {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = memory.initialize(fromContentsOf: elements)
    return UnsafeBufferPointer(memory)
  }

  @inline(__always)
  func setSlots(_ base: Base) {
    for (slot, offset) in slotOffsets {
      (base + offset).storeBytes(of: slot, as: _PropertySlot.self)
    }
  }

  /// Reads a row, whose first value is the identity. Returns false if a column has no valid value
  /// for its property, which then gets the type's zero.
  func read(_ base: Base, _ row: RowValues) -> Bool {
    var isRead = true
    for column in columns where !read(column, base, row) { isRead = false }
    return isRead
  }

  @inline(__always)
  private func read(_ column: Column, _ base: Base, _ row: RowValues) -> Bool {
    let wrapper = base + column.offset
    let index = column.position + 1
    return switch column.kind {
    case .int: read(Int.self, wrapper, row, index)
    case .bool: read(Bool.self, wrapper, row, index)
    case .double: read(Double.self, wrapper, row, index)
    case .string: read(String.self, wrapper, row, index)
    case .date: read(Date.self, wrapper, row, index)
    case .uuid: read(UUID.self, wrapper, row, index)
    case .optionalInt: read(Int?.self, wrapper, row, index)
    case .optionalBool: read(Bool?.self, wrapper, row, index)
    case .optionalDouble: read(Double?.self, wrapper, row, index)
    case .optionalString: read(String?.self, wrapper, row, index)
    case .optionalDate: read(Date?.self, wrapper, row, index)
    case .optionalUUID: read(UUID?.self, wrapper, row, index)
    case .link: object(at: base).readLink(column.slot, row, index)
    case .other, .custom: accessor(column).read(base, row, index)
    }
  }

  @inline(__always)
  private func read<Value: _Scalar>(
    _: Value.Type, _ wrapper: Base, _ row: RowValues, _ index: Int32
  ) -> Bool {
    let wrapper = wrapper.assumingMemoryBound(to: Persisted<Value>.self)
    let value = Value._read(row[index])
    wrapper.pointee.value = value ?? Value._zero()
    return value != nil
  }

  /// Sets the result of an SQL function to a column's value. Returns false if SQLite can't store
  /// the value.
  ///
  /// - Parameter index: The position of the property among the properties with columns.
  func giveResult(_ index: Int, _ part: Part, of base: Base, _ context: OpaquePointer) -> Bool {
    let column = columns[index]
    let wrapper = base + column.offset
    return switch column.kind {
    case .int: give(Int.self, wrapper, context)
    case .bool: give(Bool.self, wrapper, context)
    case .double: give(Double.self, wrapper, context)
    case .string: give(String.self, wrapper, context)
    case .date: give(Date.self, wrapper, context)
    case .uuid: give(UUID.self, wrapper, context)
    case .optionalInt: give(Int?.self, wrapper, context)
    case .optionalBool: give(Bool?.self, wrapper, context)
    case .optionalDouble: give(Double?.self, wrapper, context)
    case .optionalString: give(String?.self, wrapper, context)
    case .optionalDate: give(Date?.self, wrapper, context)
    case .optionalUUID: give(UUID?.self, wrapper, context)
    case .link, .other, .custom:
      accessor(column).stored(base).map { context.returnStored(part.stored(in: $0)) }
        != nil
    }
  }

  @inline(__always)
  private func give<Value: _Scalar>(
    _: Value.Type, _ wrapper: Base, _ context: OpaquePointer
  ) -> Bool {
    wrapper.assumingMemoryBound(to: Persisted<Value>.self).pointee.value._giveResult(context)
  }

  /// One of the columns of a property.
  enum Part: Int {
    case value
    /// The name of the type of an `AnyRealmValue`.
    case type

    func stored(in element: _StoredElement) -> StoredValue {
      switch self {
      case .value: element.value
      case .type: element.type.map { .text($0) } ?? .null
      }
    }
  }

  @inline(__always)
  private func accessor(_ column: Column) -> _PropertyAccessor {
    accessors[Int(column.slot.number)]
  }

  /// Binds all properties to the parameters from a position on; false if SQLite can't store a
  /// value.
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
    case .link, .other, .custom: accessor(column).bind(base, statement, index)
    }
  }

  @inline(__always)
  private func bind<Value: _Scalar>(
    _: Value.Type, _ wrapper: Base, _ statement: OpaquePointer, _ index: Int32
  ) -> Bool {
    wrapper.assumingMemoryBound(to: Persisted<Value>.self).pointee.value._bind(statement, index)
  }
}
