/// A collection whose elements are asked for without knowing their type.
protocol ElementValues {
  /// The elements as dynamic access shows them.
  var elementValues: [Any?] { get }
}

/// A map whose keys are asked for without knowing their type.
protocol ElementKeys {
  var elementKeys: [String] { get }
}

extension List: ElementValues {
  var elementValues: [Any?] { map { unwrapped($0._dynamicElement) } }
}

extension MutableSet: ElementValues {
  var elementValues: [Any?] { map { unwrapped($0._dynamicElement) } }
}

extension Map: ElementValues, ElementKeys {
  var elementValues: [Any?] { values.map { unwrapped($0._dynamicElement) } }
  var elementKeys: [String] { keys.map(\._text) }
}

/// An object whose properties have names, or a map whose values have.
protocol KeyedValues {
  /// A value by its name, a number as it is.
  func unboxedValue(_ key: String) -> Any?
}

extension ObjectBase: KeyedValues {}
extension DynamicObject: KeyedValues {}

extension Map: KeyedValues {
  func unboxedValue(_ key: String) -> Any? { self[Key(_text: key)]?._dynamicElement }
}
