/// The property that a key path reads; nil for one that computes something.
///
/// What reads one property and computes a value of it is told from the property itself by values
/// that are put into it.
func persistedProperty<Root: ObjectBase, Value: _Scalar>(
  of keyPath: KeyPath<Root, Value>
) -> Property? {
  guard let name = propertyName(of: keyPath), let info = ClassInfo.reporting(Root.self),
    let slot = info.slot(name), info.properties[slot].type == Value._propertyType,
    let object = info.type.init() as? Root
  else { return nil }
  for sample in samples(of: Value.self) {
    do {
      try object.setValue(sample._dynamic, slot: slot, info)
    } catch {
      // It is no property of this type.
      return nil
    }
    guard object[keyPath: keyPath]._stored == sample._stored else { return nil }
  }
  return info.properties[slot]
}

/// Some values of a type.
private func samples<Value: _Scalar>(of _: Value.Type) -> [Value] {
  if let type = Value.self as? any PersistableEnum.Type {
    func all<Case: PersistableEnum>(_: Case.Type) -> [Value] {
      Case.allCases.compactMap { $0 as? Value }
    }
    return all(type)
  }
  return [
    .integer(1), .integer(57), .integer(0), .real(1.5), .real(-0.25), .text("b"), .text("A text"),
    .text("2001-02-03 04:05:06.500000000"), .text("0123456789ABCDEF01234567"),
    .text("0123456789abcdef01234567"), .text("01234567-89AB-CDEF-0123-456789ABCDEF"),
    .text("12.5"), .blob([1, 2]), .null,
  ].compactMap { Value(_stored: $0) }
}
