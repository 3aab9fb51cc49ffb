/// The property that a key path reads; nil for one that computes something, or follows a link.
///
/// A key path that reads a property and computes a value is told from one to the property itself by
/// sample values.
func persistedProperty<Root: ObjectBase, Value: RealmCollectionValue>(
  of keyPath: KeyPath<Root, Value>
) -> Property? {
  guard let name = propertyName(of: keyPath), let info = ClassInfo.reporting(Root.self),
    let slot = info.slot(name), let object = info.type.init() as? Root
  else { return nil }
  let property = info.properties[slot]
  guard property.type == Value._elementType, property.collection == nil,
    // A default in the place of nil.
    !property.isOptional || Value._elementIsOptional || property.type == .any
      || Value._elementClass != nil
  else { return nil }
  var hasSeenValue = false
  for sample in samples(of: Value.self) {
    do {
      try object.setValue(sample._dynamicElement, slot: slot, info)
    } catch {
      // It is not a property of this type.
      return nil
    }
    guard object[keyPath: keyPath] == sample else { return nil }
    hasSeenValue = true
  }
  return hasSeenValue ? property : nil
}

/// Some values of a type.
private func samples<Value: RealmCollectionValue>(of _: Value.Type) -> [Value] {
  func all<Case: PersistableEnum>(_: Case.Type) -> [Value] {
    Case.allCases.compactMap { $0 as? Value }
  }
  if let type = Value.self as? any PersistableEnum.Type { return all(type) }
  let rows = _CollectionRows()
  let values: [(StoredValue, PropertyType?)] = [
    (.integer(1), .int), (.integer(57), .int), (.integer(0), .int), (.real(1.5), .double),
    (.real(-0.25), .double), (.text("b"), .string), (.text("A text"), .string),
    (.text("2001-02-03 04:05:06.500000000"), .date),
    (.text("0123456789ABCDEF01234567"), .objectId), (.text("0123456789abcdef01234567"), .objectId),
    (.text("01234567-89AB-CDEF-0123-456789ABCDEF"), .UUID), (.text("12.5"), .decimal128),
    (.blob([1, 2]), .data), (.null, nil),
  ]
  return values.compactMap { Value._element(_StoredElement($0, type: $1?.rawValue), in: rows) }
}
