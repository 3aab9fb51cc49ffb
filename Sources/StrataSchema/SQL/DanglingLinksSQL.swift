/// Links to deleted objects, and elements of collections whose owner was deleted.
///
/// The triggers prevent them. A tool that drops the triggers, or writes any number into a column,
/// can leave some.
package enum DanglingLinksSQL {
  /// Returns the statements that set the links to nil, and delete the elements.
  package static func statements(_ schema: Schema) -> [String] {
    let schema = schema.stored
    return schema.objectSchema.flatMap { origin -> [String] in
      let collections = origin.collectionTables.flatMap { table -> [String] in
        ["DELETE FROM \(SQLName.quote(table.name)) WHERE \(isGone(CollectionTable.owner, origin))"]
          + elements(of: table, schema)
      }
      return collections
        + origin.properties.compactMap { property in
          guard property.type == .object, property.isStoredInColumn,
            let target = property.objectClassName.flatMap({ schema[$0] })
          else { return nil }
          return forget(property.columnName, in: origin.className, target)
        }
    }
  }

  private static func elements(of table: CollectionTable, _ schema: Schema) -> [String] {
    guard table.property.type == .object,
      let target = table.property.objectClassName.flatMap({ schema[$0] })
    else { return [] }
    if table.isNullable { return [forget(CollectionTable.value, in: table.name, target)] }
    return [
      "DELETE FROM \(SQLName.quote(table.name)) WHERE \(isGone(CollectionTable.value, target))"
    ]
  }

  private static func forget(_ column: String, in table: String, _ target: ObjectSchema) -> String {
    "UPDATE \(SQLName.quote(table)) SET \(SQLName.quote(column)) = NULL "
      + "WHERE \(isGone(column, target))"
  }

  private static func isGone(_ column: String, _ target: ObjectSchema) -> String {
    "\(SQLName.quote(column)) NOT IN "
      + "(SELECT \(SQLName.quote(target.identityColumn)) FROM \(SQLName.quote(target.className)))"
  }
}
