/// What one step would do to a file, as far as that can be foreseen.
struct StepForecast {
  let step: VersionStep
  /// The schema before the step, with classes and properties called as after it.
  let before: Schema
  /// Where the values of that schema are in the file.
  let origins: Provenance
  /// The properties whose names others take, and where their values are in the file.
  let replaced: (losses: [PossibleLoss], origins: Provenance)
  /// What is in the file now.
  let file: Schema
  let counts: FileCounts
  /// Whether a step before this one runs a closure, after which the data may be other.
  let followsClosure: Bool
  /// The classes whose objects earlier steps may have changed besides closures, called as after it.
  let changed: Set<String>
  let changes: [SchemaChange]
  /// Finding them out takes a few milliseconds: see ``ModelDefaults``.
  private let defaults: ModelDefaults

  /// - Parameters:
  ///   - schema: The schema before the step.
  ///   - provenance: Where the values of that schema are in the file.
  ///   - changed: The classes of that schema whose objects may not be those of the file.
  init(
    step: VersionStep, from schema: Schema, _ provenance: Provenance, file: Schema,
    counts: FileCounts, followsClosure: Bool, changed: Set<String>
  ) throws(RealmError) {
    self.step = step
    before = step.declarations.renamed(schema)
    var classes = provenance
    classes.renameClasses(step.declarations)
    replaced = (step.declarations.replaced(in: schema), classes)
    var origins = provenance
    origins.rename(step.declarations)
    self.origins = origins
    self.file = file
    self.counts = counts
    self.followsClosure = followsClosure
    self.changed = step.declarations.renamed(changed)
    changes = SchemaDiff.changes(from: before, to: step.target.schema)
    defaults = try ModelDefaults(of: changes, step.target)
  }

  var target: Schema { step.target.schema }

  var plan: StepPlan {
    MigrationPlanner.plan(from: before, to: target, phase: .noBlock, defaults: defaults.value)
  }

  // MARK: Actions

  func actions(_ plan: StepPlan) throws -> [MigrationPlan.Action] {
    let declarations = step.declarations
    let renames =
      declarations.renamedClasses.map {
        action("Rename class '\($0.old)' to '\($0.new)'.", table: $0.new)
      }
      + declarations.renamedProperties.map {
        action(
          "Rename property '\($0.className).\($0.old)' to '\($0.new)'.", table: $0.className)
      }
    let drops = try droppedClasses.map { name in
      action("Drop table '\(name)'.", table: name, rows: try rows(name))
    }
    return try renames + plan.steps.map(action) + drops
  }

  private func action(
    _ text: String, table: String, rows: Int = 0
  ) -> MigrationPlan.Action {
    MigrationPlan.Action(text: text, table: table, rows: rows, isRebuild: false, bytes: nil)
  }

  private func action(_ planned: MigrationStep) throws -> MigrationPlan.Action {
    let (name, work) = planned.work
    let table = origins.table(of: name) ?? name
    return MigrationPlan.Action(
      text: planned.description, table: name, rows: work == .constant ? 0 : try counts.rows(table),
      isRebuild: work == .rebuild, bytes: work == .rebuild ? try counts.bytes(table) : nil)
  }

  private func rows(_ className: String) throws -> Int {
    try origins.table(of: className).map { try counts.rows($0) } ?? 0
  }

  var droppedClasses: [String] {
    step.declarations.dropped.sorted().filter { before[$0] != nil && target[$0] == nil }
  }

  // MARK: Findings

  func findings() throws -> [MigrationPlan.Finding] {
    let losses =
      try PossibleLoss.all(from: before, to: target).compactMap { try finding($0, origins) }
      + replaced.losses.compactMap { try finding($0, replaced.origins) }
    let dropped = try droppedClasses.map { name in
      MigrationPlan.Finding(
        kind: .droppedClass(className: name, objects: try rows(name)), consequence: .happens)
    }
    let lookAlikes = try LookAlike.all(from: kept, to: target).compactMap { found in
      let objects = try rows(found.old)
      return objects == 0
        ? nil
        : MigrationPlan.Finding(
          kind: .looksRenamed(from: found.old, to: found.new, objects: objects),
          consequence: step.runsClosure ? .dependsOnClosure : .happens)
    }
    return try losses + dropped + lookAlikes + changes.flatMap(findings)
  }

  /// The schema before the step without the classes that it is declared to drop.
  private var kept: Schema { droppedClasses.reduce(before) { $0.removing($1) } }

  private func finding(
    _ loss: PossibleLoss, _ origins: Provenance
  ) throws -> MigrationPlan.Finding? {
    let count = try valueCount(loss, origins)
    guard count > 0 else { return nil }
    let isDeclared = step.declarations.dropped.contains(loss.name)
    let isAllowed = isDeclared || !step.isStrict
    return MigrationPlan.Finding(
      kind: .lostValues(property: loss.name, rows: count),
      consequence: step.runsClosure && !isDeclared
        ? .dependsOnClosure
        : isAllowed ? .happens : consequence(isChanged: changed.contains(loss.className)))
  }

  /// How many rows have a value when the step begins.
  private func valueCount(_ loss: PossibleLoss, _ origins: Provenance) throws -> Int {
    guard let table = origins.table(of: loss.className) else { return 0 }
    if let property = origins.property(loss.property.columnName, of: loss.className) {
      return try counts.count(PossibleLoss(className: table, property: property).countSQL)
    }
    // A step before has added it: where it is required, each row has got its default.
    let isFilled = loss.property.isStoredInColumn && !loss.property.isNullable
    return isFilled ? try counts.rows(table) : 0
  }

  private func findings(_ change: SchemaChange) throws -> [MigrationPlan.Finding] {
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
  ) throws -> [MigrationPlan.Finding] {
    guard let (table, old) = origin(property.columnName, of: className) else { return [] }
    let count = try counts.count(
      "SELECT count(*) FROM \(SQLName.quote(table)) WHERE \(SQLName.quote(old.columnName)) IS NULL")
    guard count > 0 else { return [] }
    return [
      MigrationPlan.Finding(
        kind: .nilInRequired(property: "\(className).\(property.columnName)", rows: count),
        consequence: .happens)
    ]
  }

  /// A property that stays the primary key may get values that others have.
  private func keyDuplicates(
    _ property: Property, of className: String
  ) throws -> [MigrationPlan.Finding] {
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
  ) throws -> [MigrationPlan.Finding] {
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
        MigrationPlan.Finding(
          kind: .duplicateKeys(
            property: name, values: found.values, rows: found.rows, examples: found.examples),
          consequence: consequence(isChanged: changed.contains(className)))
      ]
    }
    // A new property has its default in all rows, unless a closure has been there.
    let rows = try rows(className)
    guard let wanted, rows > 1 else { return [] }
    // A step before may have added it.
    let ownDefaults = try ModelDefaults(
      of: [.addProperty(class: className, wanted)], step.target)
    let value = wanted.isNullable ? .constant(.null) : ownDefaults.value(className, wanted)
    guard case .constant(let constant) = value else { return [] }
    return [
      MigrationPlan.Finding(
        kind: .duplicateKeys(
          property: name, values: 1, rows: rows,
          examples: ["\(PrimaryKeyCheck.text(constant)) \(rows) times"]),
        consequence: consequence(isChanged: changed.contains(className)))
    ]
  }

  /// Looks at the links of the file as it is now, besides those that go with properties and
  /// classes.
  private func parents(of className: String) throws -> [MigrationPlan.Finding] {
    guard let table = origins.table(of: className), let object = file[table] else { return [] }
    let links = IncomingLinks(
      db: counts.db,
      schema: origins.links(of: file, in: target, dropping: step.declarations.dropped))
    let choice = step.declarations.embeddings[className] ?? EmbeddingChoice()
    let orphans = try links.orphans(of: object.stored).count
    let shared = try links.shared(of: object.stored).count
    // Objects that hold these, and go before, hold them no more.
    let holders = changed.union(deleting)
    let otherwise = consequence(
      isChanged: changed.contains(className)
        || !before.classesLinking(to: className).isDisjoint(with: holders))
    var findings: [MigrationPlan.Finding] = []
    if let value = try links.firstAnyValue(to: object.stored) {
      let holder = origins.className(ofTable: value.origin.className) ?? value.origin.className
      findings.append(
        MigrationPlan.Finding(
          kind: .heldByAnyValue(
            className: className, property: "\(holder).\(value.property.name)"),
          consequence: holders.contains(holder) ? consequence(isChanged: true) : otherwise))
    }
    if orphans > 0 {
      findings.append(
        MigrationPlan.Finding(
          kind: .orphans(className: className, objects: orphans),
          consequence: choice.orphans == .delete ? .happens : otherwise))
    }
    if shared > 0 {
      findings.append(
        MigrationPlan.Finding(
          kind: .sharedObjects(className: className, objects: shared),
          consequence: choice.shared == .copy ? .happens : otherwise))
    }
    return findings
  }
}
