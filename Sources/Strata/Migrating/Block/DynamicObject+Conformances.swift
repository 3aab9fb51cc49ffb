extension DynamicObject: CustomStringConvertible, NestedDescription {
  /// The class and its properties, as RealmSwift prints them.
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
  /// Whether both are the same row: of the same side of a migration, or of the same file.
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
  /// Whether both show the same row of the same file.
  public func isSameObject(as other: ObjectBase?) -> Bool {
    guard let object, let other else { return false }
    return object.isSameObject(as: other)
  }

  /// Whether both show the same row of the same file, or of the same side of a migration.
  public func isSameObject(as other: DynamicObject?) -> Bool { other == self }
}

extension DynamicObject: PropertySource {
  var sourceClassName: String { objectSchema.className }
  func hasProperty(_ name: String) -> Bool { objectSchema[name] != nil }
  func propertyValue(_ name: String) -> Any? { object?.unboxedValue(name) ?? unboxedValue(name) }
}
