/// The changes to the columns of one table, and whether SQLite can make them without a rebuild.
struct TableChanges {
  /// The change of a column.
  private enum Fate {
    case kept, added, retyped, madeOptional, madeRequired
  }

  /// Returns the maximum number of columns to drop in place. SQLite writes the whole table for each
  /// `DROP COLUMN`, so more columns are removed by a rebuild. A loop writes the table anyway.
  private static func maxColumnsToDrop(_ phase: SchemaTranslator.Phase) -> Int {
    phase == .duringLoop ? 1 : 2
  }

  /// New columns, in the order of declaration.
  let added: [Property]
  /// Columns that are removed in this phase.
  let removedNow: [Property]
  /// New or retyped columns whose default differs from row to row.
  let newPerRow: [Property]
  /// Columns that become required, with a default that differs from row to row.
  let requiredPerRow: [Property]
  /// Whether the table must be rebuilt.
  let needsRebuild: Bool
  /// Whether the primary key and its index stay unchanged.
  let keepsPrimaryKey: Bool
  /// The table after the changes of this phase, without a new key, which is created later.
  let result: ObjectSchema

  private let fates: [String: Fate]
  private let defaults: [String: ColumnDefault]

  init(
    from old: ObjectSchema,
    to new: ObjectSchema,
    phase: SchemaTranslator.Phase,
    retired: [String: SchemaTranslator.Removal],
    defaults: (Property) -> ColumnDefault
  ) {
    let columns = new.properties.filter(\.isStoredInColumn)
    var fates: [String: Fate] = [:]
    var values: [String: ColumnDefault] = [:]
    for property in columns {
      let fate = Self.fate(of: property, in: old)
      fates[property.columnName] = fate
      if fate != .kept, fate != .madeOptional, !property.isNullable {
        values[property.columnName] = defaults(property)
      }
    }
    let perRow = columns.filter { values[$0.columnName] == .perRow }
    let leftovers = Leftovers(from: old, to: new)
    let removedNow = (phase == .beforeBlock ? leftovers.inTheWay : leftovers.all)
      .filter { $0.isStoredInColumn && retired[$0.columnName] == nil }
    let needsRebuild =
      (!phase.precedesBlock && retired.values.contains(.retireWithDefault))
      || fates.values.contains { $0 != .kept && $0 != .added }
      || removedNow.flatMap(\.columns).count > Self.maxColumnsToDrop(phase)
      // SQLite does not drop a column with a foreign key.
      || removedNow.contains { $0.type == .object }

    self.fates = fates
    self.defaults = values
    self.removedNow = removedNow
    self.needsRebuild = needsRebuild
    added = columns.filter { fates[$0.columnName] == .added }
    newPerRow = perRow.filter { fates[$0.columnName] != .madeRequired }
    requiredPerRow = perRow.filter { fates[$0.columnName] == .madeRequired }
    keepsPrimaryKey =
      switch (old.primaryKey, new.primaryKey) {
      case (nil, nil): true
      case (let before?, let after?):
        SQLName.same(before, after) && fates[after] == .kept && !needsRebuild
      default: false
      }
    result =
      phase.precedesBlock
      ? Self.duringBlock(
        old, new, leftovers: leftovers.remaining.filter { !removedNow.contains($0) },
        keepsPrimaryKey: keepsPrimaryKey) : new
  }

  /// Returns the default for the existing rows; NULL for an optional column.
  func `default`(of property: Property) -> ColumnDefault {
    defaults[property.columnName] ?? .constant(.null)
  }

  func source(of property: Property) -> TableRebuild.Source {
    let name = property.columnName
    switch (fates[name] ?? .kept, `default`(of: property)) {
    case (.kept, _), (.madeOptional, _): return .column(name)
    // No NULL should be left. If there is one, the copy fails, which is better than an invented
    // value.
    case (.madeRequired, .perRow): return .column(name)
    case (.madeRequired, .constant(let value)): return .columnOrDefault(name, value)
    case (_, .constant(let value)): return .value(value)
    case (_, .perRow): return .value(.zero(for: property.type))
    }
  }

  private static func fate(of property: Property, in old: ObjectSchema) -> Fate {
    guard let before = old.storedColumn(property.columnName) else { return .added }
    if before.typeName != property.typeName { return .retyped }
    if before.isNullable == property.isNullable { return .kept }
    return property.isNullable ? .madeOptional : .madeRequired
  }

  /// Returns the table as a migration block finds it: the new columns, followed by the columns that
  /// are removed later.
  ///
  /// New indexes are created after the block, because updating them during the block takes longer.
  /// The kind of the class changes after the block, too.
  private static func duringBlock(
    _ old: ObjectSchema, _ new: ObjectSchema, leftovers: [Property], keepsPrimaryKey: Bool
  ) -> ObjectSchema {
    var result = new
    result.isEmbedded = old.isEmbedded
    result.compoundIndexes.removeAll { !old.hasCompoundIndex($0) }
    result.primaryKey = keepsPrimaryKey ? old.primaryKey : nil
    for property in new.properties where property.columnName != result.primaryKey {
      if old.hasPlainIndex(column: property.columnName), new.hasPlainIndex(property) { continue }
      result.removeIndex(of: property)
    }
    for index in result.properties.indices where result.properties[index].wantsTextIndex {
      let before = old.storedColumn(result.properties[index].columnName)
      result.properties[index].wantsTextIndex = before?.wantsTextIndex ?? false
    }
    for index in result.properties.indices where result.properties[index].wantsIndex {
      let property = result.properties[index]
      guard property.collection != nil, let before = old.collectionTable(property.columnName),
        before.property.typeName == property.typeName
      else { continue }
      result.properties[index].wantsIndex = before.property.wantsIndex
    }
    result.properties += leftovers.map { leftover in
      var leftover = leftover
      if leftover.isStoredInColumn, !old.hasPlainIndex(leftover) { leftover.wantsIndex = false }
      return leftover
    }
    return result
  }
}

/// The rebuild of a table in one pass over its rows: by a loop of a block, or by one statement that
/// computes columns.
package struct OnePassRebuild: Sendable, Hashable {
  package let operationsBefore: [TableOperation]
  package let rebuild: TableRebuild
  package let operationsAfter: [TableOperation]
  /// The properties whose columns the new table doesn't have.
  package let removed: [Property]
}

extension OperationList {
  /// Returns the rebuild among the operations on one class; nil if it doesn't exist, or must not be
  /// combined with the pass over the rows.
  ///
  /// Defaults that differ from row to row must be written before the block sees the rows, and the
  /// block must still find deleted objects by the links to them.
  package func onePassRebuild(of schema: ObjectSchema) -> OnePassRebuild? {
    for (index, operation) in operations.enumerated() {
      guard case .rebuildTable(let rebuild) = operation else { continue }
      let removed = schema.properties(withoutColumnsIn: rebuild.target)
      guard !operations.contains(where: \.isFilling),
        !removed.contains(where: { $0.type == .object || $0.type == .any })
      else { return nil }
      return OnePassRebuild(
        operationsBefore: Array(operations[..<index]), rebuild: rebuild,
        operationsAfter: Array(operations[(index + 1)...]), removed: removed)
    }
    return nil
  }
}

extension TableOperation {
  fileprivate var isFilling: Bool {
    if case .fillColumns = self { true } else { false }
  }
}

extension ObjectSchema {
  /// Returns the properties whose columns are missing from another schema of the table.
  fileprivate func properties(withoutColumnsIn other: ObjectSchema) -> [Property] {
    let columns = Set(other.properties.flatMap(\.columns).map { SQLName.folded($0.name) })
    return properties.filter { property in
      property.isStoredInColumn
        && property.columns.allSatisfy { !columns.contains(SQLName.folded($0.name)) }
    }
  }
}
