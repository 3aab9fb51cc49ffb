import StrataStorage

/// The predictable changes of one stage.
struct StageForecast {
  let stage: ResolvedStage
  /// The schema before the stage, with the names that classes and properties have after the stage.
  let before: Schema
  /// The tables and columns of that schema's values in the file.
  let origins: Provenance
  /// The properties whose names other properties take, with the tables and columns of their values.
  let replaced: (losses: [PossibleLoss], origins: Provenance)
  /// The current schema of the file.
  let file: Schema
  let counts: FileCounts
  /// Whether an earlier stage runs a closure, which may change the data.
  let followsClosure: Bool
  /// The classes whose objects earlier stages may have changed, apart from closures, by the names
  /// after this stage.
  let changed: Set<String>
  let changes: [SchemaChange]
  /// The defaults, computed once because they take a few milliseconds: see ``ModelDefaults``.
  private let defaults: ModelDefaults
  /// The fate of a removed property's values.
  private let removal: (String, Property) -> SchemaTranslator.Removal

  /// - Parameters:
  ///   - removal: The fate of a removed property's values.
  ///   - schema: The schema before the stage.
  ///   - provenance: The tables and columns of that schema's values in the file.
  ///   - changed: The classes of that schema whose objects may differ from the file.
  init(
    stage: ResolvedStage, from schema: Schema, _ provenance: Provenance, file: Schema,
    counts: FileCounts, followsClosure: Bool, changed: Set<String>,
    removal: @escaping (String, Property) -> SchemaTranslator.Removal
  ) throws(RealmError) {
    self.removal = removal
    let stage = stage.named(besides: schema)
    self.stage = stage
    before = stage.declarations.renamed(schema)
    var classes = provenance
    classes.renameClasses(stage.declarations)
    replaced = (stage.declarations.replaced(in: schema), classes)
    var origins = provenance
    origins.rename(stage.declarations)
    self.origins = origins
    self.file = file
    self.counts = counts
    self.followsClosure = followsClosure
    self.changed = stage.declarations.renamed(changed)
    changes = SchemaDiff.changes(from: before, to: stage.target.schema)
    defaults = try ModelDefaults(of: changes, stage.target.classes)
  }

  var target: Schema { stage.target.schema }

  /// The operations of the stage, without its closure.
  var work: OperationList {
    let room = SchemaTranslator.operationsResolvingNameConflicts(in: before, for: target)
    let rest = SchemaTranslator.operations(
      from: room.schema, to: target, phase: .noBlock, removal: removal,
      defaults: defaults.value)
    return OperationList(operations: room.operations + rest.operations, schema: rest.schema)
  }

  // MARK: Actions

  func operations() throws -> [MigrationForecast.Operation] {
    let declarations = stage.declarations
    let renames =
      declarations.renamedClasses.map {
        operation("Rename class '\($0.old)' to '\($0.new)'.", table: $0.new)
      }
      + declarations.renamedProperties.map {
        operation(
          "Rename property '\($0.className).\($0.old)' to '\($0.new)'.", table: $0.className)
      }
    let drops = try droppedClasses.map { name in
      operation("Drop table '\(name)'.", table: name, rows: try rows(name))
    }
    return try renames + work.operations.map(operation) + drops
  }

  private func operation(
    _ text: String, table: String, rows: Int = 0
  ) -> MigrationForecast.Operation {
    MigrationForecast.Operation(text: text, table: table, rows: rows, isRebuild: false, bytes: nil)
  }

  private func operation(_ planned: TableOperation) throws -> MigrationForecast.Operation {
    let (name, work) = planned.work
    let table = origins.table(of: name) ?? name
    return MigrationForecast.Operation(
      text: planned.description, table: name, rows: work == .constant ? 0 : try counts.rows(table),
      isRebuild: work == .rebuild, bytes: work == .rebuild ? try counts.bytes(table) : nil)
  }

  private func rows(_ className: String) throws -> Int {
    try origins.table(of: className).map { try counts.rows($0) } ?? 0
  }

  var droppedClasses: [String] {
    stage.declarations.dropped.sorted().filter { before[$0] != nil && target[$0] == nil }
  }

  // MARK: Findings

  func findings() throws -> [MigrationForecast.Finding] {
    let losses =
      try PossibleLoss.all(from: before, to: target).compactMap { try finding($0, origins) }
      + replaced.losses.compactMap { try finding($0, replaced.origins) }
    let dropped = try droppedClasses.map { name in
      MigrationForecast.Finding(
        kind: .droppedClass(className: name, objects: try rows(name)), consequence: .happens)
    }
    let lookAlikes = try LookAlike.all(from: kept, to: target).compactMap { found in
      let objects = try rows(found.old)
      return objects == 0
        ? nil
        : MigrationForecast.Finding(
          kind: .looksRenamed(from: found.old, to: found.new, objects: objects),
          consequence: stage.runsClosure ? .dependsOnClosure : .happens)
    }
    return try losses + dropped + lookAlikes + changes.flatMap(findings)
  }

  /// The schema before the stage, without the classes that the stage drops.
  private var kept: Schema { droppedClasses.reduce(before) { $0.removing($1) } }

  private func finding(
    _ loss: PossibleLoss, _ origins: Provenance
  ) throws -> MigrationForecast.Finding? {
    let count = try valueCount(loss, origins)
    guard count > 0 else { return nil }
    let isDeclared = stage.declarations.dropped.contains(loss.name)
    let isAllowed = isDeclared || !stage.isStrict
    return MigrationForecast.Finding(
      kind: .lostValues(property: loss.name, rows: count),
      consequence: stage.runsClosure && !isDeclared
        ? .dependsOnClosure
        : isAllowed ? .happens : consequence(isChanged: changed.contains(loss.className)))
  }

  /// Returns the number of rows that have a value when the stage begins.
  private func valueCount(_ loss: PossibleLoss, _ origins: Provenance) throws -> Int {
    guard let table = origins.table(of: loss.className) else { return 0 }
    if let property = origins.property(loss.property.columnName, of: loss.className) {
      return try counts.count(PossibleLoss(className: table, property: property).countSQL)
    }
    // An earlier stage has added the property: if required, each row has its default.
    let isFilled = loss.property.isStoredInColumn && !loss.property.isNullable
    return isFilled ? try counts.rows(table) : 0
  }

  private func findings(_ change: SchemaChange) throws -> [MigrationForecast.Finding] {
    switch change {
    case .makeRequired(let className, let property) where property.collection == nil:
      return try nils(property, of: className) + keyDuplicates(property, of: className)
    case .changeType(let className, _, let property):
      return try keyDuplicates(property, of: className)
    case .addPrimaryKey(let className, let column), .changePrimaryKey(let className, _, let column):
      return try duplicates(column, of: className)
    case .changeKind(let className, toEmbedded: true):
      return try parents(of: className)
    default:
      return []
    }
  }

  private func nils(
    _ property: Property, of className: String
  ) throws -> [MigrationForecast.Finding] {
    guard let (table, old) = origin(property.columnName, of: className) else { return [] }
    let count = try counts.count(
      "SELECT count(*) FROM \(SQLName.quote(table)) WHERE \(SQLName.quote(old.columnName)) IS NULL")
    guard count > 0 else { return [] }
    return [
      MigrationForecast.Finding(
        kind: .nilInRequired(property: "\(className).\(property.columnName)", rows: count),
        consequence: .happens)
    ]
  }

  /// Returns the duplicates of a property that stays the primary key, whose values may change.
  private func keyDuplicates(
    _ property: Property, of className: String
  ) throws -> [MigrationForecast.Finding] {
    let keys = [before, target].map { $0.stored[className]?.primaryKey }
    guard keys == [property.columnName, property.columnName] else { return [] }
    return try duplicates(property.columnName, of: className)
  }

  private func origin(
    _ column: String, of className: String
  ) -> (table: String, property: Property)? {
    guard let table = origins.table(of: className),
      let property = origins.property(column, of: className)
    else { return nil }
    return (table, property)
  }

  private func duplicates(
    _ column: String, of className: String
  ) throws -> [MigrationForecast.Finding] {
    let name = "\(className).\(column)"
    let wanted = target.stored[className]?.property(column: column)
    if let (table, property) = origin(column, of: className),
      property.typeName == wanted?.typeName
    {
      let isFilled = property.isNullable && wanted?.isNullable == false
      let found = try counts.duplicates(
        of: property.columnName, in: table,
        filling: isFilled ? wanted.map { defaults.value(className, $0) } : nil)
      guard found.values > 0 else { return [] }
      return [
        MigrationForecast.Finding(
          kind: .duplicateKeys(
            property: name, values: found.values, rows: found.rows, examples: found.examples),
          consequence: consequence(isChanged: changed.contains(className)))
      ]
    }
    // A new property has its default in all rows, unless a closure has changed it.
    let rows = try rows(className)
    guard let wanted, rows > 1 else { return [] }
    // An earlier stage may have added the property.
    let ownDefaults = try ModelDefaults(
      of: [.addProperty(class: className, wanted)], stage.target.classes)
    let value = wanted.isNullable ? .constant(.null) : ownDefaults.value(className, wanted)
    guard case .constant(let constant) = value else { return [] }
    return [
      MigrationForecast.Finding(
        kind: .duplicateKeys(
          property: name, values: 1, rows: rows,
          examples: ["\(PrimaryKeyCheck.text(constant)) \(rows) times"]),
        consequence: consequence(isChanged: changed.contains(className)))
    ]
  }

  /// Checks the links in the current file, except for links that are dropped with properties and
  /// classes.
  private func parents(of className: String) throws -> [MigrationForecast.Finding] {
    guard let table = origins.table(of: className), let object = file[table] else { return [] }
    let links = IncomingLinks(
      db: counts.db,
      schema: origins.links(of: file, in: target, dropping: stage.declarations.dropped))
    let choice = stage.declarations.embeddings[className] ?? EmbeddingChoice()
    let orphans = try links.orphans(of: object.stored).count
    let shared = try links.shared(of: object.stored).count
    // Objects that are deleted before don't count as parents.
    let holders = changed.union(deleting)
    let otherwise = consequence(
      isChanged: changed.contains(className)
        || !before.classesLinking(to: className).isDisjoint(with: holders))
    var findings: [MigrationForecast.Finding] = []
    if let value = try links.firstAnyValue(to: object.stored) {
      let holder = origins.className(ofTable: value.origin.className) ?? value.origin.className
      findings.append(
        MigrationForecast.Finding(
          kind: .heldByAnyValue(
            className: className, property: "\(holder).\(value.property.name)"),
          consequence: holders.contains(holder) ? consequence(isChanged: true) : otherwise))
    }
    if orphans > 0 {
      findings.append(
        MigrationForecast.Finding(
          kind: .orphans(className: className, objects: orphans),
          consequence: choice.orphans == .delete ? .happens : otherwise))
    }
    if shared > 0 {
      findings.append(
        MigrationForecast.Finding(
          kind: .sharedObjects(className: className, objects: shared),
          consequence: choice.shared == .copy ? .happens : otherwise))
    }
    return findings
  }
}

/// The effects of stages on the objects that later stages read.
extension StageForecast {
  /// The classes whose objects may be deleted before classes become embedded: together with a
  /// dropped class, or because they have no parent.
  var deleting: Set<String> {
    let declarations = stage.declarations
    let converted = Set(
      changes.compactMap { change -> String? in
        guard case .changeKind(let name, toEmbedded: true) = change,
          declarations.embeddings[name]?.orphans == .delete
        else { return nil }
        return name
      })
    let inside = converted.union(droppedClasses).flatMap { name in
      before.classesInside(of: name).union(target.classesInside(of: name))
    }
    return converted.union(inside)
  }

  /// The classes whose objects may differ from the file after the stage, apart from its closure.
  var changedAfterwards: Set<String> {
    let losing = before.classesLosingHolders(changes, in: target)
    return changed.union(deleting).union(losing).union(losing.flatMap(before.classesInside))
      .subtracting(droppedClasses)
  }

  /// Returns the consequence of a finding that makes the migration fail with the current data.
  ///
  /// - Parameter isChanged: Whether the affected objects may have changed by then.
  func consequence(isChanged: Bool) -> MigrationForecast.Finding.Consequence {
    // Checked first, because a closure may handle anything.
    if stage.runsClosure || followsClosure { return .dependsOnClosure }
    return isChanged ? .dependsOnEarlierChanges : .fails
  }
}

extension StageDeclarations {
  /// Returns the names of classes after the stage.
  func renamed(_ classes: Set<String>) -> Set<String> {
    renamedClasses.reduce(into: classes) { classes, rename in
      if classes.remove(rename.old) != nil { classes.insert(rename.new) }
    }
  }
}
