/// Reads and writes one property in the memory of an object.
///
/// The closures work on the address of an object plus the offset of the property's storage, so that
/// access by name costs no key path and no allocation. Callers keep the object alive meanwhile.
public struct _PropertyAccessor: @unchecked Sendable {
  typealias Base = UnsafeMutableRawPointer

  /// The value for dynamic access.
  let dynamic: (Base) -> Any?
  /// Sets a value of unknown type; false when it doesn't fit.
  let convert: (Base, Any?) -> Bool
  /// The value that SQLite would keep; nil when it has no place for it.
  let stored: (Base) -> StoredValue?
  /// Sets the value that SQLite kept; false when it is none of the property's type.
  let restore: (Base, StoredValue) -> Bool
  /// Reads a column into the property; on false the property has its type's zero.
  let read: (Base, OpaquePointer, Int32) -> Bool
  /// Binds the property to a parameter; false when SQLite has no place for the value.
  let bind: (Base, OpaquePointer, Int32) -> Bool
  /// Tells the wrapper which property of its object it is.
  let setSlot: (Base, UInt16) -> Void
  /// Copies the value from an object of the same class.
  let copy: (_ from: Base, _ to: Base) -> Void
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
      dynamic: { wrapper($0).pointee.value._dynamic },
      convert: { base, value in
        guard let value else {
          guard Value._isOptional else { return false }
          wrapper(base).pointee.value = Value._zero()
          return true
        }
        guard let converted = Value._convert(value) else { return false }
        wrapper(base).pointee.value = converted
        return true
      },
      stored: { wrapper($0).pointee.value._stored },
      restore: { base, stored in
        guard let value = Value(_stored: stored) else { return false }
        wrapper(base).pointee.value = value
        return true
      },
      read: { base, statement, index in
        guard let value = Value._read(statement, index) else {
          wrapper(base).pointee.value = Value._zero()
          return false
        }
        wrapper(base).pointee.value = value
        return true
      },
      bind: { wrapper($0).pointee.value._bind($1, $2) },
      setSlot: { wrapper($0).pointee.slot = $1 },
      copy: { wrapper($1).pointee.value = wrapper($0).pointee.value }
    )
  }
}
