public import GRDBSQLite
import StrataSchema
import StrataStorage

/// The columns of a statement's current row, read one value after the other; for the library only.
public struct _ValueColumns {
  @usableFromInline let statement: OpaquePointer
  @usableFromInline var index: Int32 = 0

  /// - Parameter statement: An `sqlite3_stmt *` with two columns for each value: the value, and the
  ///   type of an `AnyRealmValue`.
  @inlinable @inline(__always)
  init(_ statement: OpaquePointer) { self.statement = statement }

  /// The next value; nil for a value of another type.
  @inlinable @inline(__always)
  mutating func next<Value: RealmCollectionValue>(_: Value.Type) -> Value? {
    defer { index += 2 }
    // Each question for a column takes a lock, and only these values have a type.
    let type = Value.self == AnyRealmValue.self ? sqlite3_column_value(statement, index + 1) : nil
    return Value._column(sqlite3_column_value(statement, index), type: type)
  }
}

// The value in a column of a row, for each kind of type.

extension RealmCollectionValue where Self: _Scalar {
  @inlinable @inline(__always)
  public static func _column(_ value: OpaquePointer?, type: OpaquePointer?) -> Self? {
    _read(value)
  }
}

extension Optional where Wrapped: RealmCollectionValue {
  @inlinable @inline(__always)
  public static func _column(_ value: OpaquePointer?, type: OpaquePointer?) -> Self? {
    if sqlite3_value_type(value) == SQLITE_NULL { return .some(.none) }
    return Wrapped._column(value, type: type).map { .some($0) }
  }
}

extension _CustomPersistable {
  public static func _column(_ value: OpaquePointer?, type: OpaquePointer?) -> Self? {
    PersistedType._column(value, type: type).flatMap(_custom)
  }
}

extension AnyRealmValue {
  /// Collections are unmanaged, and objects read as nil: without a realm, no object can be created.
  public static func _column(_ value: OpaquePointer?, type: OpaquePointer?) -> AnyRealmValue? {
    let stored = StoredValue(value)
    guard case .text(let name) = StoredValue(type) else {
      return stored == .null ? AnyRealmValue.none : nil
    }
    return unmanaged(_StoredElement(stored, type: name))
  }

  private static func unmanaged(_ element: _StoredElement) -> AnyRealmValue? {
    guard element.isNested else {
      return element.linkedClassName == nil ? AnyRealmValue(element) : AnyRealmValue.none
    }
    return NestedValue(element).flatMap(unmanaged)
  }

  private static func unmanaged(_ value: NestedValue) -> AnyRealmValue? {
    switch value {
    case .null, .link: return AnyRealmValue.none
    case .value(let value, let type): return unmanaged(_StoredElement(value, type: type.rawValue))
    case .list(let values): return .fromArray(values.map { unmanaged($0) ?? .none })
    case .dictionary(let entries):
      // A Swift dictionary would keep one of two keys that look alike.
      let map = Map<String, AnyRealmValue>()
      for entry in entries { map.updateValue(unmanaged(entry.value) ?? .none, forKey: entry.key) }
      return .dictionary(map)
    }
  }
}
