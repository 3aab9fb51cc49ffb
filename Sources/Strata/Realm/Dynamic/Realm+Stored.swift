import StrataSchema
package import StrataStorage

/// Values in the form in which a file stores them, for programs that edit any file.
extension Realm {
  /// Returns the value to assign to a property so that the file stores a given element: a number, a
  /// string, an object, or an `AnyRealmValue`. The inner optional is nil for nil.
  ///
  /// ```swift
  /// if let value = realm.dynamicValue(of: _StoredElement(.integer(5)), for: link) {
  ///   person["dog"] = value
  /// }
  /// ```
  /// The outer optional is nil for a value of another type, and for a missing object. Missing
  /// objects inside of a list or a dictionary are nil.
  package func dynamicValue(of element: _StoredElement, for property: Property) -> Any?? {
    if element.value == .null { return .some(nil) }
    switch property.type {
    case .object:
      guard case .integer(let row) = element.value, let className = property.objectClassName,
        let object = dynamicObject(ofType: className, identity: row)
      else { return nil }
      return .some(object)
    case .any:
      guard let value = NestedValue(element), let any = any(value) else { return nil }
      return .some(any)
    default: return property.dynamicValue(element.value)
    }
  }

  private func any(_ value: NestedValue) -> AnyRealmValue? {
    switch value {
    case .null: return AnyRealmValue.none
    case .value(let stored, let type):
      return AnyRealmValue(_StoredElement(stored, type: type.rawValue))
    case .link(let className, let row):
      guard session.store.table(className: className) != nil else { return nil }
      return (dynamicObject(ofType: className, identity: row)?.object as? Object)
        .map { .object($0) }
    case .list(let items): return .fromArray(items.map { any($0) ?? .none })
    case .dictionary(let entries):
      let map = Map<String, AnyRealmValue>()
      for entry in entries { map.updateValue(any(entry.value) ?? .none, forKey: entry.key) }
      return .dictionary(map)
    }
  }

  /// Creates an object from values of ``dynamicValue(of:for:)``, and from dictionaries for embedded
  /// objects. Call this method inside of `write`.
  ///
  /// Reports the same errors as ``dynamicCreate(_:value:update:)``, which is slower because that
  /// method checks the types of all values.
  package func dynamicCreate(_ typeName: String, values: [String: Any?]) -> DynamicObject {
    guard let table = session.store.table(className: typeName), !table.info.isEmbedded else {
      return dynamicCreate(typeName, value: values)
    }
    return DynamicObject(
      showing: session.create(table.info.type, value: Self.shown(values), .error))
  }

  /// Returns the values with dynamic objects replaced by the objects that they show. Compares
  /// types, because casts would be slower.
  private static func shown(_ values: [String: Any?]) -> [String: Any?] {
    values.mapValues { value in
      guard let value else { return nil }
      if type(of: value) == DynamicObject.self { return (value as? DynamicObject)?.object }
      if type(of: value) == [String: Any?].self {
        return (value as? [String: Any?]).map(shown)
      }
      return value
    }
  }

  /// Creates an object of an embedded class, which becomes managed when it is assigned to a
  /// property or added to a collection. Call this method inside of `write`.
  ///
  /// Reports the same errors as ``dynamicCreate(_:value:update:)``.
  package func dynamicEmbeddedObject(_ typeName: String, value: [String: Any?]) -> DynamicObject? {
    guard let table = session.store.table(className: typeName), table.info.isEmbedded else {
      session.record(RealmError(.fail, ErrorText.notManaged(typeName)))
      return nil
    }
    return DynamicObject(
      showing: session.create(table.info.type, value: Self.shown(value), .error))
  }

  /// Throws the first error that a non-throwing call has caused in this `write`, and that `write`
  /// would throw at its end.
  package func throwMistake() throws {
    if let error = session.transaction?.error { throw error }
  }
}

extension DynamicObject {
  /// Returns the elements of a collection, for reading and writing them in stored form; nil for any
  /// other property, and for an unmanaged object.
  package func storedElements(_ propertyName: String) -> StoredElements? {
    guard let object, let info = ClassInfo.reporting(type(of: object)),
      let slot = info.slot(propertyName),
      let rows = object.managedContext?.rows(of: object, slot)
    else { return nil }
    return StoredElements(rows)
  }

  /// Sets a property of type `AnyRealmValue` to a list or a dictionary in stored form. References
  /// to missing objects are kept, and are valid again if the objects come back. Call this method
  /// inside of `write`.
  package func setNested(_ element: _StoredElement, _ propertyName: String) {
    self[propertyName] = nil
    guard element.isNested, let object, let info = ClassInfo.reporting(type(of: object)),
      let slot = info.slot(propertyName), object._willWrite(slot)
    else { return }
    withExtendedLifetime(object) {
      info.accessors[slot].setNested?(Unmanaged.passUnretained(object).toOpaque(), element)
    }
  }
}

/// The elements of a collection of a managed object, in stored form.
///
/// ```swift
/// person.storedElements("tags")?.insert(_StoredElement(.text("go")))
/// ```
/// Nothing is converted: the caller must pass values of the collection's type and valid positions.
/// Call these methods inside of `write`, which throws their errors.
package struct StoredElements {
  private let rows: _CollectionRows

  init(_ rows: _CollectionRows) { self.rows = rows }

  package var count: Int { rows.count }

  /// Adds an embedded object, and returns its stored form.
  package func adopt(_ object: DynamicObject) throws -> _StoredElement {
    guard let object = object.object else { return .null }
    return try rows.row(of: object)
  }

  // MARK: Lists

  package func insert(_ element: _StoredElement, at position: Int) {
    if rows.canWrite() { rows.insert([element], at: position) }
  }

  package func append(_ elements: [_StoredElement]) {
    if !elements.isEmpty, rows.canWrite() { rows.insert(elements, at: rows.count) }
  }

  package func replace(at position: Int, with element: _StoredElement) {
    if rows.canWrite() { rows.replace(at: position, with: element) }
  }

  package func remove(at position: Int) {
    if rows.canWrite() { rows.remove(position..<position + 1) }
  }

  package func move(from source: Int, to destination: Int) {
    if rows.canWrite(), source != destination { rows.move(from: source, to: destination) }
  }

  // MARK: Sets

  /// Adds an element to a set. Returns false if the set already contains it.
  package func insert(_ element: _StoredElement) -> Bool {
    rows.canWrite() && rows.insert(element)
  }

  package func remove(_ element: _StoredElement) {
    if rows.canWrite() { _ = rows.remove(element) }
  }

  // MARK: Maps

  package func set(_ element: _StoredElement, forKey key: String) {
    if rows.canWrite() { rows.set(element, forKey: key) }
  }

  package func remove(key: String) {
    if rows.canWrite() { _ = rows.remove(key: key) }
  }
}
