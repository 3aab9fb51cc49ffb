/// Turns the difference between two schemas into operations, with one rebuild per table at most.
package enum SchemaTranslator {
  /// The time at which the operations run, seen from the migration block of the user.
  package enum Phase: Sendable, Hashable {
    /// New columns appear, old ones stay, so that the block finds both.
    ///
    /// A primary key that changes is away. One that stays is left to the caller that runs the
    /// block: most blocks write no keys, and making the index again takes time for each row.
    case beforeBlock
    /// The same, for a class whose table a loop of the block rebuilds while it goes through the
    /// rows: columns that have no place any more go at once. The block finds their values in the
    /// old objects.
    case duringLoop
    /// The block is done: what it no longer needs goes, what would have hindered it comes.
    case afterBlock
    /// There is no block: everything in one go.
    case noBlock

    /// Whether the block, or the rest of it, is still to run.
    var precedesBlock: Bool { self == .beforeBlock || self == .duringLoop }
  }

  /// The operations that bring a file to the schema that is wanted, as far as the phase goes.
  ///
  /// Classes that only the file has are left alone. The new primary keys come last, so that the
  /// search for duplicates sees the final values. Before them the kinds of classes change, when
  /// links that are to go have gone.
  /// - Parameter defaults: The Swift default of a required property, as the file would store it.
  package static func operations(
    from physical: Schema,
    to target: Schema,
    phase: Phase,
    defaults: (_ className: String, _ property: Property) -> ColumnDefault
  ) -> OperationList {
    var schema = physical.stored
    var operations: [TableOperation] = []
    var primaryKeys: [TableOperation] = []
    var kinds: Set<String> = []
    for wanted in target.stored.objectSchema {
      guard let existing = schema[wanted.className] else {
        let created = newTable(wanted, phase)
        operations.append(.createTable(created))
        schema.update(created)
        continue
      }
      var translator = TableTranslator(from: existing, to: wanted, phase: phase)
      let result = translator.translate { usable(defaults(wanted.className, $0), for: $0) }
      schema.update(result)
      if result.isEmbedded != existing.isEmbedded { kinds.insert(wanted.className) }
      operations += translator.operations
      primaryKeys += translator.primaryKeyOperations
    }
    operations += kindOperations(kinds, in: schema)
    return OperationList(operations: operations + primaryKeys, schema: schema)
  }

  /// The operations that give classes of the target their names, where tables of collections have
  /// them.
  ///
  /// They come before all others.
  package static func operationsMakingRoom(
    in physical: Schema, for target: Schema
  ) -> OperationList {
    var schema = physical.stored
    let operations = schema.collectionsInTheWay(of: target).map { old, new in
      schema.name(table: new.name, of: old.property.columnName, in: old.className)
      return TableOperation.renameCollection(old, to: new)
    }
    return OperationList(operations: operations, schema: schema)
  }

  /// Classes are embedded behind those that contain them: a copy of a parent has copies of its
  /// children, and only what is shared beyond that is shared.
  private static func kindOperations(_ changed: Set<String>, in schema: Schema) -> [TableOperation]
  {
    let onTheirOwn = schema.objectSchema.filter { !$0.isEmbedded }
    return (onTheirOwn + schema.embeddedClasses).filter { changed.contains($0.className) }.map {
      .changeKind(class: $0.className, toEmbedded: $0.isEmbedded, in: schema)
    }
  }

  /// A table that the block fills may hold duplicates until the block ends.
  private static func newTable(_ wanted: ObjectSchema, _ phase: Phase) -> ObjectSchema {
    var created = wanted
    if phase.precedesBlock, let key = wanted.primaryKeyProperty {
      created.primaryKey = nil
      // The key's own index serves for both; it comes after the block.
      created.removeIndex(of: key)
    }
    return created
  }

  /// Values that SQL text cannot carry exactly are written row by row instead, with bindings.
  private static func usable(_ default: ColumnDefault, for property: Property) -> ColumnDefault {
    switch `default` {
    case .constant(.null): .constant(.zero(for: property.type))
    case .constant(let value) where !value.isExactLiteral: .perRow
    default: `default`
    }
  }
}
