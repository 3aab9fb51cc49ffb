import GRDB
package import StrataSchema

/// Properties whose values stay in the file for older programs, and defaults for their rows.
extension OperationRunner {
  /// Whether a new object gets a random or present value for a property.
  func isMadeForEachObject(_ property: Property, of className: String) -> Bool {
    // Only for these types is an object created to know it.
    guard DefaultSQL.generated(property.type) != nil, !property.isNullable else { return false }
    return tableDefaults(of: className)?[property.columnName].map(DefaultSQL.isGenerated) ?? false
  }

  /// Returns the `DEFAULT` clauses of a class; nil for a class that the program doesn't have.
  func tableDefaults(of className: String) -> [String: String]? {
    guard let info = classes[className] else { return nil }
    return TableDefaults.of(info, primaryKey: target[className]?.primaryKey)
  }

  /// Returns the function that decides whether a removed property is retired.
  package func removals() throws -> (String, Property) -> SchemaTranslator.Removal {
    guard retiring != nil else { return { _, _ in .drop } }
    return RecordedFile([], columns: try Catalog.read(db).columns).removals(
      besides: droppedProperties)
  }

  /// Removes the values of retired properties.
  ///
  /// - Parameter physical: The schema of the file, without its retired properties.
  package func dropRetired(
    from physical: Schema, _ isDropped: (RetiredProperty) -> Bool
  ) throws {
    let dropped = retired.filter(isDropped)
    guard !dropped.isEmpty else { return }
    var record = SchemaRecord(physical.stored)
    record.retired = dropped
    let before = record.schemaWithRetired
    for schema in before.objectSchema { recordColumns(schema) }
    retired.removeAll(where: dropped.contains)
    let list = SchemaTranslator.operations(from: before, to: record.schema, phase: .noBlock) {
      _, property in .constant(.zero(for: property.type))
    }
    try run(list.operations)
    var rest = SchemaRecord(record.schema)
    rest.retired = retired
    let schema = rest.schemaWithRetired
    let children = Set(dropped.compactMap(\.property.objectClassName))
    for target in schema.embeddedClasses where children.contains(target.className) {
      try EmbeddedConversion(db: db, schema: schema, target: target, choice: EmbeddingChoice())
        .deleteOrphans()
    }
  }
}
