extension DynamicObject: CustomStringConvertible, NestedDescription {
  /// The class and its properties, as RealmSwift prints them.
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    guard depth > 0 else { return Self.tooDeep }
    guard !isInvalidated else { return "[invalid object]" }
    let lines = table.schema.properties.filter { !$0.isComputed }.map { property in
      let value = describeValue(self[property.name] as Any?, depth: depth - 1)
      return "\t\(property.name) = \(indented(value));\n"
    }
    return "\(table.className) {\n\(lines.joined())}"
  }
}

extension DynamicObject: Hashable {
  /// Whether both are the same row of the same side.
  public static func == (first: DynamicObject, second: DynamicObject) -> Bool {
    first === second
      || (first.rowID == second.rowID && first.table.className == second.table.className
        && first.table.isNew == second.table.isNew && first.table.context === second.table.context)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rowID) }
}

extension DynamicObject: PropertySource {
  var sourceClassName: String { table.className }
  func hasProperty(_ name: String) -> Bool { table.schema[name] != nil }
  func propertyValue(_ name: String) -> Any? { self[name] as Any? }
}
