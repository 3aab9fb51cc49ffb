import Foundation
import StrataStorage

/// An accessor of one property in the memory of an object.
///
/// The closures work on the address of an object plus the offset of the property's storage, so that
/// access by name costs no key path and no allocation. Callers keep the object alive meanwhile.
public struct _PropertyAccessor: @unchecked Sendable {
  typealias Base = UnsafeMutableRawPointer

  // guarded by: nothing; the closures capture offsets and types, no object.

  /// How many columns the property has: none for a collection, two for an `AnyRealmValue`.
  var columns: Int32 = 1
  /// Whether each value of the column's type is one of the property's: not so for enums, custom
  /// types and integers of other widths.
  var isPlain = false
  /// How ``RowAccess`` reads and binds it, and where its wrapper is, unless by the closures.
  var kind = ColumnKind.other
  var offset = 0
  /// The value for dynamic access.
  let dynamic: (Base) -> Any?
  /// Sets a value of unknown type; false when it doesn't fit.
  let convert: (Base, Any?) throws(RealmError) -> Bool
  /// The value that SQLite would store; nil when it can't.
  let stored: (Base) -> _StoredElement?
  /// Reads the property's columns; on false the property has its type's zero.
  let read: (Base, RowValues, Int32) -> Bool
  /// Binds the property to as many parameters; false when SQLite has no place for the value.
  let bind: (Base, OpaquePointer, Int32) -> Bool
  /// Where the wrapper has the number of its property, from the object's address on.
  let slotOffset: Int
  /// Removes the target from a link in memory: in a file, links hold identities.
  var takeLink: ((Base) -> ObjectBase?)?
  /// Replaces a list or a dictionary in memory, which an `AnyRealmValue` holds, by what its object
  /// keeps of it in a file. The closure says what to keep of the objects in it.
  var storeNested:
    (
      (Base, (ObjectBase) throws(RealmError) -> _StoredElement) throws(RealmError) -> Void
    )?
  /// Sets the text of a list or a dictionary.
  var setNested: ((Base, _StoredElement) -> Void)?
  /// The collection in memory.
  var collection: ((Base) -> any PersistedCollection)?
  /// Puts an empty collection in the place of the one in memory.
  var renew: ((Base) -> Void)?
  /// The property that linking objects follow backwards.
  var originProperty: ((Base) -> String)?
}

extension _PropertyAccessor {
  /// Makes the accessor of a `Persisted<Value>`.
  ///
  /// Called from the witnesses of concrete types, so that each closure is specialised.
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

  /// Where a `Persisted<Value>` at a distance from an object's address has the number of its
  /// property.
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

/// What a description of a property in memory needs besides its own value.
func object(at base: UnsafeMutableRawPointer) -> ObjectBase {
  Unmanaged<ObjectBase>.fromOpaque(base).takeUnretainedValue()
}

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
