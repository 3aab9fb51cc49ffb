/// Translates the changes of the collections of one class.
struct CollectionTranslator {
  let old: ObjectSchema
  let new: ObjectSchema
  /// What the class is after this phase.
  let result: ObjectSchema
  let phase: SchemaTranslator.Phase

  var operations: [TableOperation] {
    removals
      + new.collectionTables.flatMap { table -> [TableOperation] in
        let column = table.property.columnName
        let wanted = result.collectionTable(column) ?? table
        guard let existing = old.collectionTable(column) else { return [.createCollection(wanted)] }
        if existing.property.typeName != wanted.property.typeName {
          return [.dropCollection(existing), .createCollection(wanted)]
        }
        if existing.isNullable != wanted.isNullable {
          return [.rebuildCollection(from: existing, to: wanted)]
        }
        if existing.property.wantsIndex == wanted.property.wantsIndex { return [] }
        return wanted.property.wantsIndex
          ? [.createElementsIndex(wanted)] : [.dropElementsIndex(existing)]
      }
  }

  /// A block may still rename what the model no longer has to something else.
  private var removals: [TableOperation] {
    guard !phase.precedesBlock else { return [] }
    return Leftovers(from: old, to: new).all.compactMap {
      CollectionTable(className: old.className, property: $0).map(TableOperation.dropCollection)
    }
  }
}
