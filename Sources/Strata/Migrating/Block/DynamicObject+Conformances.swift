extension DynamicObject: CustomStringConvertible, NestedDescription {
  /// A description with the class and its properties, in RealmSwift's format.
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    guard depth > 0 else { return Self.tooDeep }
    guard !isInvalidated else { return "[invalid object]" }
    let lines = objectSchema.properties.filter { !$0.isComputed }.map { property in
      let value = describeValue(unboxedValue(property.name), depth: depth - 1)
      return "\t\(property.name) = \(indented(value));\n"
    }
    return "\(objectSchema.className) {\n\(lines.joined())}"
  }
}

extension DynamicObject: Hashable {
  /// Returns whether both are the same row of the same file, or of the same side of a migration.
  public static func == (first: DynamicObject, second: DynamicObject) -> Bool {
    if first.object != nil || second.object != nil { return first.object == second.object }
    return first === second
      || (first.rowID == second.rowID && first.table.className == second.table.className
        && first.table.isNew == second.table.isNew && first.table.context === second.table.context)
  }

  public func hash(into hasher: inout Hasher) {
    if let object { hasher.combine(object) } else { hasher.combine(rowID) }
  }
}

extension DynamicObject {
  /// Returns whether both show the same row of the same file.
  public func isSameObject(as other: ObjectBase?) -> Bool {
    guard let object, let other else { return false }
    return object.isSameObject(as: other)
  }

  /// Returns whether both show the same row of the same file, or of the same side of a migration.
  public func isSameObject(as other: DynamicObject?) -> Bool { other == self }
}

extension DynamicObject: PropertySource {
  var sourceClassName: String { objectSchema.className }
  func hasProperty(_ name: String) -> Bool { objectSchema[name] != nil }
  func propertyValue(_ name: String) -> Any? { object?.unboxedValue(name) ?? unboxedValue(name) }
}

extension AnyRealmValue {
  /// The object, of whatever class; nil for any other value.
  public var dynamicObject: DynamicObject? {
    instance(of: DynamicObject.self, rawValue)
      ?? instance(of: ObjectBase.self, rawValue).map { DynamicObject(showing: $0) }
  }
}

extension DynamicObject {
  /// Returns the objects of a list, like `self[propertyName]` with its type.
  ///
  /// A property that is not a list of objects is an error: it fails the migration, or `write`
  /// throws it. The result is an empty list then.
  public func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    collection(propertyName, "list") ?? List()
  }

  /// Returns the objects of a set, like `self[propertyName]` with its type.
  ///
  /// A property that is not a set of objects is an error: it fails the migration, or `write` throws
  /// it. The result is an empty set then.
  public func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    collection(propertyName, "set") ?? MutableSet()
  }

  /// Returns the objects of a map, like `self[propertyName]` with its type.
  ///
  /// A property that is not a map of objects is an error: it fails the migration, or `write` throws
  /// it. The result is an empty map then.
  public func dynamicMap(_ propertyName: String) -> Map<String, DynamicObject?> {
    collection(propertyName, "map") ?? Map()
  }

  private func collection<Collection>(_ name: String, _ kind: String) -> Collection? {
    let value = self[name] as Any?
    if let collection = value as? Collection { return collection }
    if let object {
      object.recordMistake("'\(objectSchema.className).\(name)' is not a \(kind) of objects.")
      return nil
    }
    // After an earlier error this call has no effect: the first error counts.
    table.context.status.fail("'\(table.className).\(name)' is not a \(kind) of objects.")
    return nil
  }
}
