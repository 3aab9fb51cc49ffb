import StrataQuery

/// A way from an object through links and collections to a property, as a key path describes it.
final class PersistedPath: Sendable {
  /// The links and collections in their order, and the property at the end.
  let properties: [Property]

  /// The property of an object itself, as a condition asks for it; nil for one with many values.
  let operand: QueryOperand?

  init(_ properties: [Property]) {
    self.properties = properties
    operand =
      properties.count == 1 && !properties[0].hasManyValues
      ? .path(QueryPath([.property(properties[0].name)])) : nil
  }

  /// The names with dots between them: `dog.name`.
  var text: String { properties.map(\.name).joined(separator: ".") }

  /// The property, if it is one of the object itself.
  var ownProperty: Property? { properties.count == 1 ? properties.first : nil }
}

extension Property {
  /// Whether it is a collection, or has the objects that link to its own.
  var hasManyValues: Bool { collection != nil || isComputed }
}

/// What a key path reads: a property of the file, also through links (`\Person.dog?.name`,
/// `\Person.dog!.name`) and collections (`\Person.dogs[0].name`); nil for one that computes
/// something.
///
/// A key path that computes a value is told from one to a property by sample values. That happens
/// once for each key path; the answer is remembered.
func persistedPath<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> PersistedPath? {
  answer(keyPath).path
}

/// The property that a key path reads, or of which alone it computes its value; nil for one that
/// reads none, or several.
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

/// The text of a key path, as descriptors and format strings name it: `dog.name`; nil where
/// ``persistedPath(of:)`` has no answer.
func keyPathString<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String? {
  persistedPath(of: keyPath)?.text
}

/// The property in a column that a key path reads; nil for one that computes something, or follows
/// a link.
func persistedProperty<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> Property? {
  guard let property = persistedPath(of: keyPath)?.ownProperty, property.isStoredInColumn else {
    return nil
  }
  return property
}
