import Foundation
import StrataStorage

/// An accessor of one property in the memory of an object.
///
/// The closures work on the address of an object plus the offset of the property's storage. Access
/// by name therefore needs no key path and no allocation. Callers keep the object alive meanwhile.
public struct _PropertyAccessor: @unchecked Sendable {
  typealias Base = UnsafeMutableRawPointer

  // guarded by: nothing; the closures capture offsets and types, no object.

  /// The number of columns: none for a collection, two for an `AnyRealmValue`.
  var columns: Int32 = 1
  /// Whether each value of the column's type is valid for the property. False for enums, custom
  /// types and integers of other widths.
  var isPlain = false
  /// The kind and the wrapper's offset, by which ``RowAccess`` reads and binds without closures.
  var kind = ColumnKind.other
  var offset = 0
  let dynamic: (Base) -> Any?
  /// Sets a value of unknown type; false if it doesn't fit.
  let convert: (Base, Any?) throws(RealmError) -> Bool
  /// The value that SQLite would store; nil if it can't.
  let stored: (Base) -> _StoredElement?
  /// Reads the property's columns. Returns false if the property got its type's zero instead.
  let read: (Base, RowValues, Int32) -> Bool
  /// Binds the property to one parameter per column; false if SQLite can't store the value.
  let bind: (Base, OpaquePointer, Int32) -> Bool
  /// The offset of the wrapper's slot from the object's address.
  let slotOffset: Int
  /// Removes the target from a link in memory: managed links hold identities.
  var takeLink: ((Base) -> ObjectBase?)?
  /// Sets the text of a list or a dictionary.
  var setNested: ((Base, _StoredElement) -> Void)?
  /// The collection in memory.
  var collection: ((Base) -> any PersistedCollection)?
  /// Replaces the collection in memory by an empty one.
  var renew: ((Base) -> Void)?
  /// The property that linking objects follow backwards.
  var originProperty: ((Base) -> String)?
}

extension _PropertyAccessor {
  /// Makes the accessor of a `Persisted<Value>`.
  ///
  /// Called from the witnesses of concrete types, so that the compiler specializes each closure.
  @inline(__always)
  static func make<Value: _Scalar>(_: Value.Type, offset: Int) -> _PropertyAccessor {
    @inline(__always)
    func wrapper(_ base: Base) -> UnsafeMutablePointer<Persisted<Value>> {
      (base + offset).assumingMemoryBound(to: Persisted<Value>.self)
    }
    return _PropertyAccessor(
      isPlain: plainTypes.contains(ObjectIdentifier(Value.self)), kind: ColumnKind(Value.self),
      offset: offset,
      dynamic: { wrapper($0).pointee.value._dynamic },
      convert: { base, value throws(RealmError) in
        guard let value else {
          guard Value._isOptional else { return false }
          wrapper(base).pointee.value = Value._zero()
          return true
        }
        guard let converted = Value._convert(value) else { return false }
        wrapper(base).pointee.value = converted
        return true
      },
      stored: { wrapper($0).pointee.value._stored.map { _StoredElement($0) } },
      read: { base, row, index in
        guard let value = Value._read(row[index]) else {
          wrapper(base).pointee.value = Value._zero()
          return false
        }
        wrapper(base).pointee.value = value
        return true
      },
      bind: { wrapper($0).pointee.value._bind($1, $2) },
      slotOffset: slotOffset(of: Value.self, offset)
    )
  }

  /// The offset of the slot of a `Persisted<Value>` whose own offset in an object is given.
  static func slotOffset<Value: Persistable>(of _: Value.Type, _ offset: Int) -> Int {
    guard let inside = MemoryLayout<Persisted<Value>>.offset(of: \Persisted<Value>.slot) else {
      stopForProgrammerError("The layout of 'Persisted<\(Value.self)>' isn't known.")
    }
    return offset + inside
  }
}

private let plainTypes = Set<ObjectIdentifier>(
  [
    Int.self, Int64.self, Bool.self, Float.self, Double.self, String.self, Data.self, Date.self,
    UUID.self, ObjectId.self, Decimal128.self, Int?.self, Int64?.self, Bool?.self, Float?.self,
    Double?.self, String?.self, Data?.self, Date?.self, UUID?.self, ObjectId?.self,
    Decimal128?.self,
  ].map { ObjectIdentifier($0 as Any.Type) })

func object(at base: UnsafeMutableRawPointer) -> ObjectBase {
  Unmanaged<ObjectBase>.fromOpaque(base).takeUnretainedValue()
}

/// The slots of a class's properties, grouped by kind. A class, because using a member of a
/// structure may copy all of its arrays.
final class PropertySlots: Sendable {
  /// The properties that are stored in columns of the table.
  let inColumns: [_PropertySlot]
  let links: [_PropertySlot]
  let collections: [_PropertySlot]
  /// The properties that can be set, in the order of an array of values: all except linking
  /// objects.
  let settable: [_PropertySlot]
  private let columns: SlotArray<Range<Int32>>
  private let byName: [String: _PropertySlot]

  init(_ properties: SlotArray<Property>, _ accessors: SlotArray<_PropertyAccessor>) {
    inColumns = accessors.indices.filter { accessors[$0].columns > 0 }
    var position: Int32 = 0
    columns = SlotArray(
      accessors.map { accessor in
        defer { position += accessor.columns }
        return position..<position + accessor.columns
      })
    links = accessors.indices.filter { accessors[$0].takeLink != nil }
    collections = accessors.indices.filter { accessors[$0].collection != nil }
    settable = properties.indices.filter { !properties[$0].isComputed }
    byName = Dictionary(properties.indices.map { (properties[$0].name, $0) }) { first, _ in first }
  }

  /// The slot of a property, by its Swift name.
  subscript(name: String) -> _PropertySlot? { byName[name] }

  /// The columns of a property in the table, without counting the identity. Asking the property's
  /// accessor would copy all of its closures.
  @inline(__always)
  func columns(of slot: _PropertySlot) -> Range<Int32> { columns[slot] }

  /// The first column of a property in the table, without counting the identity.
  @inline(__always)
  func column(of slot: _PropertySlot) -> Int32 { columns[slot].lowerBound }
}
