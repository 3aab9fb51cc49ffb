import GRDBSQLite
import StrataStorage

extension _PersistedForm where Self: _Scalar {
  public static func _zeroForm() -> Self { _zero() }
  public static func _initialForm() -> Self { _initial() }
}

extension EmbeddedObject: _PersistedForm {
  public static func _zeroForm() -> Self { self.init() }
  public static func _initialForm() -> Self { self.init() }
}

extension _CustomPersistable where PersistedType: _Scalar {
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .custom(
      Self.self, offset: offset, form: { (value: Self) in value.persistableValue }, value: _custom)
  }

  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .custom(
      Self?.self, offset: offset, form: { (value: Self?) in value?.persistableValue }
    ) { (form: PersistedType?) in
      guard let form else { return .some(nil) }
      return _custom(form).map { .some($0) }
    }
  }
}

extension _CustomPersistable where PersistedType: EmbeddedObject {
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    .customLink(Self.self, PersistedType.self, offset: offset) { $0.persistableValue }
  }

  public static func _optionalAccessor(offset: Int) -> _PropertyAccessor {
    .customLink(Self?.self, PersistedType.self, offset: offset) { $0?.persistableValue }
  }
}

extension _PropertyAccessor {
  /// Makes the accessor of a `Persisted<Value>` that is stored in a column as another type.
  fileprivate static func custom<Value: Persistable & RealmCollectionValue, Form: _Scalar>(
    _: Value.Type, offset: Int, form: @escaping (Value) -> Form,
    value: @escaping (Form) -> Value?
  ) -> _PropertyAccessor {
    func wrapper(_ base: Base) -> UnsafeMutablePointer<Persisted<Value>> {
      (base + offset).assumingMemoryBound(to: Persisted<Value>.self)
    }
    return _PropertyAccessor(
      kind: .custom,
      dynamic: { wrapper($0).pointee.value._dynamicElement },
      convert: { base, new throws(RealmError) in
        guard let converted = try Value._convertElement(new) else { return false }
        wrapper(base).pointee.value = converted
        return true
      },
      stored: { form(wrapper($0).pointee.value)._stored.map { _StoredElement($0) } },
      read: { base, row, index in
        guard let read = Form._read(row[index]).flatMap(value) else {
          wrapper(base).pointee.value = Value._placeholder(wrapper(base).pointee.value)
          return false
        }
        wrapper(base).pointee.value = read
        return true
      },
      bind: { form(wrapper($0).pointee.value)._bind($1, $2) },
      slotOffset: slotOffset(of: Value.self, offset)
    )
  }

  /// Makes the accessor of a `Persisted<Value>` that is stored as an embedded object.
  fileprivate static func customLink<Value: Persistable & RealmCollectionValue>(
    _: Value.Type, _ target: EmbeddedObject.Type, offset: Int,
    object form: @escaping (Value) -> EmbeddedObject?
  ) -> _PropertyAccessor {
    func wrapper(_ base: Base) -> UnsafeMutablePointer<Persisted<Value>> {
      (base + offset).assumingMemoryBound(to: Persisted<Value>.self)
    }
    // The wrapper begins with its value, so only its own type finds the slot.
    func slot(_ base: Base) -> _PropertySlot { wrapper(base).pointee.slot }
    return _PropertyAccessor(
      dynamic: { base in
        let owner = object(at: base)
        guard owner.managedContext != nil else { return form(wrapper(base).pointee.value) }
        return target._managedOptional(nil, of: owner, slot(base))
      },
      convert: { base, new throws(RealmError) in
        guard let converted = try Value._convertElement(new) else { return false }
        if !Value._set(converted, of: object(at: base), slot(base)) {
          wrapper(base).pointee.value = converted
        }
        return true
      },
      stored: {
        _StoredElement(object(at: $0).linkRow(slot($0)).map { .integer($0.row) } ?? .null)
      },
      read: { object(at: $0).readLink(slot($0), $1, $2) },
      bind: { object(at: $0).bindLink(slot($0), $1, $2) },
      slotOffset: slotOffset(of: Value.self, offset),
      takeLink: { form(wrapper($0).pointee.value) }
    )
  }
}
