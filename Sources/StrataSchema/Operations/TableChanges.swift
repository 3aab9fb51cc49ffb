/// The changes to the columns of one table, and whether SQLite can make them without a rebuild.
struct TableChanges {
  /// The fate of a column.
  private enum Fate {
    case kept, added, retyped, madeOptional, madeRequired
  }

  /// More columns than this are removed by one rebuild: SQLite writes the whole table for each
  /// `DROP COLUMN`. A loop writes it anyway.
  private static func mostColumnsToDrop(_ phase: SchemaTranslator.Phase) -> Int {
    phase == .duringLoop ? 1 : 2
  }

  /// Columns without a counterpart, in declared order.
  let added: [Property]
  /// Columns that go in this phase.
  let removedNow: [Property]
  /// New or retyped columns whose default differs from row to row.
  let newPerRow: [Property]
  /// Columns that become required, with a default that differs from row to row.
  let requiredPerRow: [Property]
  /// Whether the table must be rebuilt.
  let needsRebuild: Bool
  /// Whether the primary key and its index stay as they are.
  let keepsPrimaryKey: Bool
  /// What the table is after the changes of this phase, except that a new key is made later.
  let result: ObjectSchema

  private let fates: [String: Fate]
  private let defaults: [String: ColumnDefault]

  init(
    from old: ObjectSchema,
    to new: ObjectSchema,
    phase: SchemaTranslator.Phase,
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
      .filter(\.isStoredInColumn)
    let needsRebuild =
      fates.values.contains { $0 != .kept && $0 != .added }
      || removedNow.flatMap(\.columns).count > Self.mostColumnsToDrop(phase)
      // SQLite does not drop a column that a foreign key is on.
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

  /// The default for the rows that exist; NULL for a column that may hold it.
  func `default`(of property: Property) -> ColumnDefault {
    defaults[property.columnName] ?? .constant(.null)
  }

  /// Where a rebuild takes the values of a column from.
  func source(of property: Property) -> TableRebuild.Source {
    let name = property.columnName
    switch (fates[name] ?? .kept, `default`(of: property)) {
    case (.kept, _), (.madeOptional, _): return .column(name)
    // No NULL is left. If one is, the copy fails, which is better than a made-up value.
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

  /// The table as a migration block finds it: the new columns, behind them those that go later.
  ///
  /// New indexes that the model asks for wait until after the block, which is cheaper than keeping
  /// them up to date while it writes. Whether objects are embedded is decided after the block, too.
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

/// The rebuild of a table that is done while something goes through its rows: a loop of a block, or
/// one statement that computes columns.
package struct OnePassRebuild: Sendable, Hashable {
  /// What is to be done before.
  package let operationsBefore: [TableOperation]
  /// The rebuild.
  package let rebuild: TableRebuild
  /// What is to be done afterwards.
  package let operationsAfter: [TableOperation]
  /// The properties whose columns the new table doesn't have.
  package let removed: [Property]
}

extension OperationList {
  /// The rebuild among the operations on one class; nil where there is none, or where it must not
  /// be done with the rows.
  ///
  /// Defaults that differ from row to row must be there before the block sees the rows; and objects
  /// that the block deletes must still be found by the links that lead to them.
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
  /// The properties whose columns another schema of the table doesn't have.
  fileprivate func properties(withoutColumnsIn other: ObjectSchema) -> [Property] {
    let columns = Set(other.properties.flatMap(\.columns).map { SQLName.folded($0.name) })
    return properties.filter { property in
      property.isStoredInColumn
        && property.columns.allSatisfy { !columns.contains(SQLName.folded($0.name)) }
    }
  }
}
