import GRDBSQLite
import StrataStorage

extension ObjectBase {
  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .link(self, offset: offset)
  }

  /// Reads the target of a link from its column. Returns false if the column holds no identity.
  func readLink(_ slot: _PropertySlot, _ row: RowValues, _ index: Int32) -> Bool {
    let value = row[index]
    let target = Int64._integer(value)
    setLinkRow(slot, target)
    return target != nil || sqlite3_value_type(value) == SQLITE_NULL
  }

  /// Binds the target of a link to a parameter. Returns false if SQLite reports an error.
  func bindLink(_ slot: _PropertySlot, _ statement: OpaquePointer, _ index: Int32) -> Bool {
    guard let link = linkRow(slot) else {
      return sqlite3_bind_null(statement, index) == SQLITE_OK
    }
    return sqlite3_bind_int64(statement, index, link.row) == SQLITE_OK
  }
}

extension _PropertyAccessor {
  /// Makes the accessor of a `Persisted<Target?>`, which has the same memory layout for all
  /// classes.
  static func link(_ target: ObjectBase.Type, offset: Int) -> _PropertyAccessor {
    func wrapper(_ base: Base) -> UnsafeMutablePointer<Persisted<ObjectBase?>> {
      (base + offset).assumingMemoryBound(to: Persisted<ObjectBase?>.self)
    }
    func slot(_ base: Base) -> _PropertySlot { wrapper(base).pointee.slot }
    return _PropertyAccessor(
      kind: .link,
      dynamic: { base in
        target._managedOptional(wrapper(base).pointee.value, of: object(at: base), slot(base))
      },
      convert: { base, value throws(RealmError) in
        var linked: ObjectBase?
        if let value {
          guard let converted = try target.converting(value) else { return false }
          linked = converted
        }
        if !target._setOptional(linked, of: object(at: base), slot(base)) {
          wrapper(base).pointee.value = linked
        }
        return true
      },
      stored: { base in
        let owner = object(at: base)
        guard owner.managedContext != nil else {
          return wrapper(base).pointee.value.map { _StoredElement(.integer($0._rowID)) } ?? .null
        }
        return _StoredElement(owner.linkRow(slot(base)).map { .integer($0.row) } ?? .null)
      },
      read: { object(at: $0).readLink(slot($0), $1, $2) },
      bind: { object(at: $0).bindLink(slot($0), $1, $2) },
      slotOffset: slotOffset(of: ObjectBase?.self, offset),
      takeLink: { base in
        defer { wrapper(base).pointee.value = nil }
        return wrapper(base).pointee.value
      }
    )
  }
}
