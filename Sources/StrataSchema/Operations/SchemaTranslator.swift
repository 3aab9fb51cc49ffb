/// The translation of the difference between two schemas into operations, with at most one rebuild
/// for each table.
package enum SchemaTranslator {
  /// The time at which the operations run, relative to the user's migration block.
  package enum Phase: Sendable, Hashable {
    /// Before the block. New columns are added, and old ones stay, so that the block finds both.
    ///
    /// A primary key that changes is dropped. The caller that runs the block decides about an
    /// unchanged key: most blocks write no keys, and creating the index again takes time for each
    /// row.
    case beforeBlock
    /// Before the block, for a class whose table a loop of the block rebuilds while it reads the
    /// rows. Removed columns are dropped at once. The block finds their values in the old objects.
    case duringLoop
    /// After the block. Drops the items that only the block needed, and creates the items that
    /// would have hindered it.
    case afterBlock
    /// Without a block: all changes at once.
    case noBlock

    /// Whether the block, or the rest of it, has yet to run.
    var precedesBlock: Bool { self == .beforeBlock || self == .duringLoop }
  }

  /// The fate of the values of a removed property.
  package enum Removal: Sendable, Hashable {
    /// They are removed.
    case drop
    /// They stay for older programs.
    case retire
    /// They stay, and the table must be rebuilt to give the column a default.
    case retireWithDefault
  }

  /// Returns the operations that migrate a file to the target schema, as far as the phase allows.
  ///
  /// Classes that only the file has stay unchanged. The new primary keys come last, so that the
  /// search for duplicates sees the final values. Classes become embedded or top-level just before
  /// that, after removed links were deleted.
  /// - Parameters:
  ///   - removal: The fate of a removed property's values. By default they are dropped.
  ///   - defaults: The Swift default of a required property, in the form that the file stores.
  package static func operations(
    from physical: Schema,
    to target: Schema,
    phase: Phase,
    removal: (_ className: String, _ property: Property) -> Removal = { _, _ in .drop },
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
      var translator = TableTranslator(from: existing, to: wanted, phase: phase) {
        removal(wanted.className, $0)
      }
      let result = translator.translate { usable(defaults(wanted.className, $0), for: $0) }
      schema.update(result)
      if result.isEmbedded != existing.isEmbedded { kinds.insert(wanted.className) }
      operations += translator.operations
      primaryKeys += translator.primaryKeyOperations
    }
    operations += kindOperations(kinds, in: schema)
    return OperationList(operations: operations + primaryKeys, schema: schema)
  }

  /// Returns the operations that rename tables of collections whose names are needed by classes of
  /// the target.
  ///
  /// They come before all others.
  package static func operationsResolvingNameConflicts(
    in physical: Schema, for target: Schema
  ) -> OperationList {
    var schema = physical.stored
    let operations = schema.collectionsInTheWay(of: target).map { old, new in
      schema.name(table: new.name, of: old.property.columnName, in: old.className)
      return TableOperation.renameCollection(old, to: new)
    }
    return OperationList(operations: operations, schema: schema)
  }

  /// Embeds classes after the classes that contain them: a copy of a parent also copies its
  /// children. Only children with further parents are then shared.
  private static func kindOperations(_ changed: Set<String>, in schema: Schema) -> [TableOperation]
  {
    let onTheirOwn = schema.objectSchema.filter { !$0.isEmbedded }
    return (onTheirOwn + schema.embeddedClasses).filter { changed.contains($0.className) }.map {
      .changeKind(class: $0.className, toEmbedded: $0.isEmbedded, in: schema)
    }
  }

  /// Returns a class as its table is created. If a block follows, the table gets no primary key
  /// yet, because the block may insert duplicates until it ends.
  private static func newTable(_ wanted: ObjectSchema, _ phase: Phase) -> ObjectSchema {
    var created = wanted
    if phase.precedesBlock, let key = wanted.primaryKeyProperty {
      created.primaryKey = nil
      // The unique index of the primary key, which is created after the block, replaces this index.
      created.removeIndex(of: key)
    }
    return created
  }

  /// Replaces a constant without an exact SQL literal by `perRow`, so that the value is bound and
  /// written for each row. Replaces nil by the zero of the type.
  private static func usable(_ default: ColumnDefault, for property: Property) -> ColumnDefault {
    switch `default` {
    case .constant(.null): .constant(.zero(for: property.type))
    case .constant(let value) where !value.isExactLiteral: .perRow
    default: `default`
    }
  }
}
