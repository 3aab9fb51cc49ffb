/// The translator of the changes of one table.
struct TableTranslator {
  /// The operations, without the one that creates the primary key.
  private(set) var operations: [TableOperation] = []
  /// The operation that creates the primary key, to be run after the operations of all tables.
  private(set) var primaryKeyOperations: [TableOperation] = []

  private var old: ObjectSchema
  private let new: ObjectSchema
  private let phase: SchemaTranslator.Phase
  /// The fates of the removed properties that don't go, by column.
  private let retired: [String: SchemaTranslator.Removal]
  /// Links without an index, because they were renamed.
  private var linksWithoutIndex: Set<String> = []

  private var table: String { new.className }

  init(
    from old: ObjectSchema, to new: ObjectSchema, phase: SchemaTranslator.Phase,
    removal: (Property) -> SchemaTranslator.Removal
  ) {
    self.old = old
    self.new = new
    self.phase = phase
    retired = Leftovers(from: old, to: new).remaining.reduce(into: [:]) { retired, property in
      let fate = removal(property)
      if fate != .drop { retired[property.columnName] = fate }
    }
  }

  /// Collects the operations. Returns the table after them.
  mutating func translate(defaults: (Property) -> ColumnDefault) -> ObjectSchema {
    renameColumnsThatDifferInCase()
    renameCollections()
    let changes = TableChanges(
      from: old, to: new, phase: phase, retired: retired, defaults: defaults)
    if !phase.precedesBlock {
      operations += old.properties.filter { retired[$0.columnName] != nil }.map {
        .retire(table: table, $0)
      }
    }
    if !changes.keepsPrimaryKey, let key = old.primaryKey {
      operations.append(.dropPrimaryKey(table: table, column: key))
    }
    let filled = changes.needsRebuild ? rebuild(changes) : changeInPlace(changes)
    operations +=
      CollectionTranslator(
        old: old, new: new, result: changes.result, phase: phase, retired: Set(retired.keys)
      ).operations
    guard !phase.precedesBlock else { return filled }
    changeTextIndexes()
    if !changes.keepsPrimaryKey, let key = new.primaryKeyProperty {
      primaryKeyOperations.append(.createPrimaryKey(table: table, key))
    }
    return new
  }

  /// Renames columns. SQLite ignores case in column names, so two names that differ only in case
  /// can't both exist.
  ///
  /// The index is named after the column, so it is dropped, and created again under the new name.
  private mutating func renameColumnsThatDifferInCase() {
    for wanted in new.properties where wanted.isStoredInColumn {
      guard old.storedColumn(wanted.columnName) == nil,
        let position = old.properties.firstIndex(where: {
          $0.isStoredInColumn && SQLName.collide($0.columnName, wanted.columnName)
        })
      else { continue }
      let existing = old.properties[position]
      for columns in old.compoundIndexes(with: existing.columnName) {
        operations.append(.dropIndex(table: table, columns: columns))
      }
      old.removeCompoundIndexes(with: existing.columnName)
      if old.primaryKey == existing.columnName {
        operations.append(.dropPrimaryKey(table: table, column: existing.columnName))
        old.primaryKey = nil
        old.properties[position].wantsIndex = false
      } else if old.hasPlainIndex(existing) {
        operations.append(.dropIndex(table: table, columns: [existing.columnName]))
        old.properties[position].wantsIndex = false
        if existing.type == .object { linksWithoutIndex.insert(wanted.columnName) }
      }
      old.properties[position].name = wanted.columnName
      old.properties[position].columnName = wanted.columnName
      for (from, to) in zip(existing.columns, old.properties[position].columns) {
        operations.append(.renameColumn(table: table, from: from.name, to: to.name))
      }
    }
  }

  /// Renames the tables of collections in the same way, and tables that get another name.
  private mutating func renameCollections() {
    for wanted in new.collectionTables {
      let column = wanted.property.columnName
      func position(_ isSame: (String, String) -> Bool) -> Int? {
        old.properties.firstIndex { $0.collection != nil && isSame($0.columnName, column) }
      }
      guard let position = position(SQLName.same) ?? position(SQLName.collide),
        let existing = CollectionTable(className: table, property: old.properties[position]),
        !SQLName.same(existing.name, wanted.name)
      else { continue }
      let renamed = existing.renamed(to: column, tableName: wanted.property.tableName)
      operations.append(.renameCollection(existing, to: renamed))
      old.properties[position] = renamed.property
    }
  }

  /// Changes full-text indexes. The index of a removed column is dropped with it.
  private mutating func changeTextIndexes() {
    for wanted in new.properties where wanted.isStoredInColumn {
      let existing = old.storedColumn(wanted.columnName)
      let hasIndex = existing?.wantsTextIndex ?? false
      guard hasIndex != wanted.wantsTextIndex else { continue }
      operations.append(
        hasIndex
          ? .dropTextIndex(table: table, column: wanted.columnName)
          : .createTextIndex(table: table, column: wanted.columnName))
    }
  }

  private mutating func rebuild(_ changes: TableChanges) -> ObjectSchema {
    // In the old column, nil can still be distinguished from a stored zero.
    fill(changes.requiredPerRow, onlyNull: true)
    var target = changes.result
    target.primaryKey = nil
    for column in target.properties where column.isStoredInColumn {
      if !changes.result.hasPlainIndex(column) { target.removeIndex(of: column) }
    }
    let columns = target.properties.filter(\.isStoredInColumn).map {
      TableRebuild.Column(property: $0, source: changes.source(of: $0))
    }
    operations.append(
      .rebuildTable(
        TableRebuild(
          table: table,
          target: target,
          columns: columns,
          sourceIdentityColumn: old.identityColumn
        )))
    fill(changes.newPerRow, onlyNull: false)
    return changes.result
  }

  private mutating func changeInPlace(_ changes: TableChanges) -> ObjectSchema {
    for property in old.properties
    where hasIndexNow(property) && retired[property.columnName] == nil {
      if !changes.result.hasPlainIndex(column: property.columnName) {
        operations.append(.dropIndex(table: table, columns: [property.columnName]))
      }
    }
    for columns in old.compoundIndexes where !changes.result.hasCompoundIndex(columns) {
      operations.append(.dropIndex(table: table, columns: columns))
    }
    for column in changes.removedNow.flatMap(\.columns) {
      operations.append(.dropColumn(table: table, column: column.name))
    }
    // After the removed columns, one of which may have had the name. Before the added columns, one
    // of which may take the name.
    if old.identityColumn != changes.result.identityColumn {
      operations.append(
        .renameColumn(
          table: table, from: old.identityColumn, to: changes.result.identityColumn))
    }
    for property in changes.added {
      operations.append(.addColumn(table: table, property, changes.default(of: property)))
    }
    fill(changes.newPerRow, onlyNull: false)
    for property in changes.result.properties where changes.result.hasPlainIndex(property) {
      // The index of a link is created with the triggers that need it, usually after the block.
      if phase.precedesBlock, property.type == .object { continue }
      if !(old.storedColumn(property.columnName).map(hasIndexNow) ?? false) {
        operations.append(.createIndex(table: table, columns: [property.columnName]))
      }
    }
    for columns in changes.result.compoundIndexes where !old.hasCompoundIndex(columns) {
      operations.append(.createIndex(table: table, columns: columns))
    }
    return changes.result
  }

  private func hasIndexNow(_ property: Property) -> Bool {
    old.hasPlainIndex(property) && !linksWithoutIndex.contains(property.columnName)
  }

  private mutating func fill(_ properties: [Property], onlyNull: Bool) {
    guard !properties.isEmpty else { return }
    operations.append(.fillColumns(table: table, properties, onlyNull: onlyNull))
  }
}

/// The translator of the changes of the collections of one class.
struct CollectionTranslator {
  let old: ObjectSchema
  let new: ObjectSchema
  /// The class after this phase.
  let result: ObjectSchema
  let phase: SchemaTranslator.Phase
  /// The columns of the removed properties that don't go.
  let retired: Set<String>

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

  /// The removals after the block, which may still rename removed properties.
  private var removals: [TableOperation] {
    guard !phase.precedesBlock else { return [] }
    return Leftovers(from: old, to: new).all.filter { !retired.contains($0.columnName) }.compactMap
    {
      CollectionTable(className: old.className, property: $0).map(TableOperation.dropCollection)
    }
  }
}

/// The columns and indexes of a class in its stored form, for the translation of changes.
extension ObjectSchema {
  /// Returns the property with this column of the table, byte for byte.
  ///
  /// A collection of the same name does not count. During a migration from one to the other a class
  /// has both.
  package func storedColumn(_ column: String) -> Property? {
    properties.first { $0.isStoredInColumn && SQLName.same($0.columnName, column) }
  }

  /// Whether a column has an index other than the primary key's.
  ///
  /// Links always have one. Without it SQLite reads the whole table whenever a target is deleted.
  func hasPlainIndex(_ property: Property) -> Bool {
    guard property.isStoredInColumn, property.wantsIndex || property.type == .object else {
      return false
    }
    return primaryKey.map { !SQLName.same($0, property.columnName) } ?? true
  }

  /// Whether the class has a column of this name, with an index other than the primary key's.
  func hasPlainIndex(column: String) -> Bool {
    storedColumn(column).map(hasPlainIndex) ?? false
  }

  /// Records that a column has no index of its own.
  mutating func removeIndex(of property: Property) {
    for index in properties.indices
    where properties[index].isStoredInColumn
      && SQLName.same(properties[index].columnName, property.columnName)
    {
      properties[index].wantsIndex = false
    }
  }
}

/// Indexes of several columns of a class in its stored form.
extension ObjectSchema {
  /// Whether the class has an index of exactly these columns in this order.
  func hasCompoundIndex(_ columns: [String]) -> Bool {
    compoundIndexes.contains {
      $0.count == columns.count && zip($0, columns).allSatisfy(SQLName.same)
    }
  }

  package func compoundIndexes(with column: String) -> [[String]] {
    compoundIndexes.filter { $0.contains { SQLName.same($0, column) } }
  }

  /// Records that the compound indexes with a column were dropped.
  package mutating func removeCompoundIndexes(with column: String) {
    compoundIndexes.removeAll { $0.contains { SQLName.same($0, column) } }
  }

  /// Records that the compound indexes of missing columns were dropped.
  mutating func removeCompoundIndexesOfMissingColumns() {
    compoundIndexes = compoundIndexes.filter { $0.allSatisfy { storedColumn($0) != nil } }
  }
}
