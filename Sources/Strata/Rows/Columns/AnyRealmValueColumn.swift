import GRDBSQLite
import StrataStorage

extension AnyRealmValue {
  /// The property of a managed owner holds no object in memory: objects are links.
  public static func _accessor(offset: Int) -> _PropertyAccessor {
    func wrapper(_ base: _PropertyAccessor.Base) -> UnsafeMutablePointer<Persisted<AnyRealmValue>> {
      (base + offset).assumingMemoryBound(to: Persisted<AnyRealmValue>.self)
    }
    func slot(_ base: _PropertyAccessor.Base) -> _PropertySlot { wrapper(base).pointee.slot }
    func stored(_ base: _PropertyAccessor.Base) -> _StoredElement? {
      let owner = Strata.object(at: base)
      if owner.managedContext != nil, let link = owner.linkRow(slot(base)) {
        return _StoredElement(
          .integer(link.row), type: link.className.map { _StoredElement.typeName(ofLinkTo: $0) })
      }
      return wrapper(base).pointee.value.storedElement
    }
    func set(_ element: _StoredElement, _ base: _PropertyAccessor.Base) {
      wrapper(base).pointee.value =
        AnyRealmValue(nested: CarriedRows(element), typeName: element.type) ?? .none
    }
    var accessor = _PropertyAccessor(
      columns: 2,
      dynamic: { base in
        _managed(wrapper(base).pointee.value, of: Strata.object(at: base), slot(base)).rawValue
      },
      convert: { base, value throws(RealmError) in
        guard let value = converting(value) else { return false }
        if !_set(value, of: Strata.object(at: base), slot(base)) {
          wrapper(base).pointee.value = value
        }
        return true
      },
      stored: { stored($0) },
      read: { base, row, index in
        let owner = Strata.object(at: base)
        owner.setLinkRow(slot(base), nil)
        wrapper(base).pointee.value = .none
        let element = _StoredElement(row, index)
        if let className = element.linkedClassName, case .integer(let row) = element.value {
          owner.setLinkRow(slot(base), className: className, row)
          return true
        }
        if element.isNested {
          guard case .text = element.value else { return false }
          set(element, base)
          return true
        }
        guard let value = AnyRealmValue(element) else { return false }
        wrapper(base).pointee.value = value
        return true
      },
      bind: { base, statement, index in
        guard let element = stored(base) else { return false }
        return Strata.bindRaw(element.value, statement, index)
          && Strata.bindRaw(element.type.map { .text($0) } ?? .null, statement, index + 1)
      },
      slotOffset: _PropertyAccessor.slotOffset(of: AnyRealmValue.self, offset),
      takeLink: { base in
        guard case .object(let object) = wrapper(base).pointee.value else { return nil }
        wrapper(base).pointee.value = .none
        return object
      }
    )
    accessor.setNested = { set($1, $0) }
    return accessor
  }
}
