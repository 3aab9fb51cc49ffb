import StrataQuery

/// A path from an object through links and collections to a property, as a key path describes it.
final class PersistedPath: Sendable {
  /// The links and collections in order, and the property at the end.
  let properties: [Property]

  /// The operand of a condition for an object's own property; nil for a property with many values.
  let operand: QueryOperand?

  init(_ properties: [Property]) {
    self.properties = properties
    operand =
      properties.count == 1 && !properties[0].hasManyValues
      ? .path(QueryPath([.property(properties[0].name)])) : nil
  }

  /// The names, separated by dots: `dog.name`.
  var text: String { properties.map(\.name).joined(separator: ".") }

  /// The property, if it belongs to the object itself.
  var ownProperty: Property? { properties.count == 1 ? properties.first : nil }
}

extension Property {
  /// Whether the property is a collection or linking objects.
  var hasManyValues: Bool { collection != nil || isComputed }
}

/// The property of the file that a key path reads, also through links (`\Person.dog?.name`,
/// `\Person.dog!.name`) and collections (`\Person.dogs[0].name`); nil for a key path that computes
/// something.
///
/// Sample values show whether a key path computes its value. This is tested once for each key path,
/// and cached.
func persistedPath<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> PersistedPath? {
  answer(keyPath).path
}

/// The only property that a key path reads, even if the key path computes something from its value;
/// nil for a key path that reads none, or several.
func readPath<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> PersistedPath? {
  answer(keyPath).read
}

private func answer<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> KeyPathAnswer {
  if let answer = KnownKeyPaths.answer(to: keyPath) { return answer }
  guard let info = ClassInfo.reporting(Root.self) else { return KeyPathAnswer() }
  // Not under a lock: the model's own code runs here, and may ask for other key paths.
  let answer = ordinarily {
    let reading = KeyPathReading(keyPath, info)
    defer { reading?.end() }
    let givesValue = reading?.givesValueUnchanged == true
    return KeyPathAnswer(path: givesValue ? reading?.path : nil, read: reading?.path)
  }
  KnownKeyPaths.add(answer, to: keyPath)
  return answer
}

/// The text of a key path in descriptors and format strings, such as `dog.name`; nil where
/// ``persistedPath(of:)`` returns nil.
func keyPathString<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String? {
  persistedPath(of: keyPath)?.text
}

/// The property in a column that a key path reads; nil for a key path that computes something, or
/// follows a link.
func persistedProperty<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> Property? {
  guard let property = persistedPath(of: keyPath)?.ownProperty, property.isStoredInColumn else {
    return nil
  }
  return property
}
