extension DynamicObject {
  /// The objects of a list, the same as `self[propertyName]` of the type that it has.
  ///
  /// A property that is not a list of objects is a mistake, which fails the migration and which
  /// `write` throws; it gives an empty list.
  public func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    collection(propertyName, "list") ?? List()
  }

  /// The objects of a set, the same as `self[propertyName]` of the type that it has.
  ///
  /// A property that is not a set of objects is a mistake, which fails the migration and which
  /// `write` throws; it gives an empty set.
  public func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    collection(propertyName, "set") ?? MutableSet()
  }

  /// The objects of a map, the same as `self[propertyName]` of the type that it has.
  ///
  /// A property that is not a map of objects is a mistake, which fails the migration and which
  /// `write` throws; it gives an empty map.
  public func dynamicMap(_ propertyName: String) -> Map<String, DynamicObject?> {
    collection(propertyName, "map") ?? Map()
  }

  private func collection<Collection>(_ name: String, _ kind: String) -> Collection? {
    let value = self[name] as Any?
    if let collection = value as? Collection { return collection }
    if let object {
      object.noteMistake("'\(objectSchema.className).\(name)' is not a \(kind) of objects.")
      return nil
    }
    // Fails after another mistake as well, which then is the one that counts.
    table.context.status.fail("'\(table.className).\(name)' is not a \(kind) of objects.")
    return nil
  }
}
