import StrataStorage

/// A target version of a migration: reached by the configuration's migration block, or by a stage
/// of its plan.
struct ResolvedStage: Sendable {
  /// The work besides operations on tables.
  enum Work: Sendable {
    case nothing
    /// A block for the stage's declarations.
    case declared(MigrationBlock)
    /// The user's closure, with the stage's declarations before and after it.
    case closure(MigrationBlock)
  }

  var version: UInt64
  var target: DiscoveredSchema
  var work = Work.nothing
  var declarations = StageDeclarations()
  /// Whether values may be lost only as the stage declares.
  var isStrict = false

  /// Whether the user's closure runs.
  var runsClosure: Bool { if case .closure = work { true } else { false } }
}

extension ResolvedStage {
  init(_ stage: MigrationStage, _ target: DiscoveredSchema) {
    self.init(
      version: UInt64(stage.version), target: target, work: Self.work(of: stage),
      declarations: stage.declarations, isStrict: true)
  }

  /// Returns the stage with tables whose names the file doesn't use otherwise.
  func named(besides file: Schema) -> ResolvedStage {
    var stage = self
    stage.target = target.named(besides: file)
    return stage
  }

  private static func work(of stage: MigrationStage) -> Work {
    let declarations = stage.declarations
    if let migrate = stage.migrate { return .closure(block(declarations, migrate)) }
    return declarations.needsBlock ? .declared(block(declarations) { _ in }) : .nothing
  }

  private static func block(
    _ declarations: StageDeclarations, _ migrate: @escaping MigrationStage.Migrate
  ) -> MigrationBlock {
    { migration, _ in
      for rename in declarations.renamedClasses {
        migration.renameClass(from: rename.old, to: rename.new)
      }
      for rename in declarations.renamedProperties {
        migration.renameProperty(onType: rename.className, from: rename.old, to: rename.new)
      }
      if let version = declarations.droppedRetired {
        migration.dropRetired(olderThan: version)
      }
      try migrate(migration)
      for name in declarations.dropped.sorted() where StageDeclarations.property(name) == nil {
        migration.deleteData(forType: name)
      }
    }
  }
}

extension ResolvedConfiguration {
  /// Returns the stages that migrate the file to the version of the program, up to the first
  /// commit.
  func stages(
    from state: FileState, to discovered: DiscoveredSchema
  ) throws(RealmError) -> [ResolvedStage] {
    let stages = try allStages(from: state, to: discovered)
    return settings.migrationPlan?.commits == .eachStage ? Array(stages.prefix(1)) : stages
  }

  /// Returns all stages, whether or not they are committed together.
  func allStages(
    from state: FileState, to discovered: DiscoveredSchema
  ) throws(RealmError) -> [ResolvedStage] {
    guard let plan = settings.migrationPlan else {
      return [
        ResolvedStage(
          version: schemaVersion, target: discovered,
          work: settings.migrationBlock.map { .closure($0) } ?? .nothing)
      ]
    }
    guard let version = state.version else {
      return [ResolvedStage(version: schemaVersion, target: discovered)]
    }
    let versions = try plan.resolved(current: discovered)
    guard let position = versions.firstIndex(where: { $0.version == version }) else {
      throw RealmError(
        .fail,
        "Realm at path '\(name)' is at schema version \(version), and the plan begins at version "
          + "\(versions.first?.version ?? 0). Add the versions from \(version) on to the plan: as "
          + "classes, or frozen.")
    }
    let declared = versions[position]
    try check(state.schema, isWhat: declared)
    let remaining = versions[(position + 1)...]
    var known = StageDeclarations().schema(after: state.schema, to: declared.target.schema)
    for next in remaining {
      let problems = SchemaValidator.problems(
        in: next.target.schema, besides: next.declarations.renamed(known))
      guard problems.isEmpty else {
        throw RealmError(.fail, ErrorText.validation(problems.map(\.description)))
      }
      known = next.declarations.schema(after: known, to: next.target.schema)
    }
    var stages = Array(remaining)
    // Changes that need no higher version may be missing in the file. A stage for them comes first,
    // so that the next stage finds them done.
    if !SchemaDiff.changes(from: state.schema, to: declared.target.schema).isEmpty {
      stages.insert(ResolvedStage(version: version, target: declared.target), at: 0)
    }
    return stages
  }

  private func check(_ schema: Schema, isWhat declared: ResolvedStage) throws(RealmError) {
    let changes = SchemaDiff.changes(from: schema, to: declared.target.schema)
    guard changes.contains(where: \.needsMigration) else { return }
    throw RealmError(
      .schemaMismatch,
      "Realm at path '\(name)' is at schema version \(declared.version), and the plan says otherwise "
        + "of that version than the file. What the plan has changed:"
        + changes.filter(\.needsMigration).map { "\n- \($0)" }.joined()
        + "\nCorrect version \(declared.version) of the plan, and describe changes as a new version."
    )
  }
}

extension SchemaMigrationPlan {
  /// The names before and after all stages, for older programs in a file that begins at the last
  /// version.
  var names: ChangedNames {
    stages.reduce(into: ChangedNames()) { $1.declarations.rename(in: &$0) }
  }

  /// Returns all stages with the classes of their versions, checked against each other. The first
  /// one is the oldest supported version of a file.
  ///
  /// - Parameter current: The classes of the program.
  func resolved(current: DiscoveredSchema) throws(RealmError) -> [ResolvedStage] {
    var resolved: [ResolvedStage] = []
    var problems: [String] = []
    // Includes classes that are no longer in the plan, but still in the files.
    var leftovers = Schema()
    for (index, stage) in stages.enumerated() {
      let target: DiscoveredSchema
      switch stage.source {
      case .versioned(let schema): target = try DiscoveredSchema.of(Self.classes(of: schema))
      case .frozen(let frozen) where index == stages.count - 1:
        try Self.check(frozen, isWhatThereIs: current)
        target = current
      case .frozen(let frozen): target = try DiscoveredSchema(frozen: frozen.schema)
      case .current:
        if index < stages.count - 1 {
          problems.append(
            "'.current(version: \(stage.version))' is not the last one: the classes of the program "
              + "are at the last version. Freeze version \(stage.version), or give its classes.")
        }
        target = current
      }
      if let before = resolved.last {
        problems += stage.declarations.problems(
          from: before.target.schema, leftovers: leftovers, to: target.schema
        ).map { "Version \(stage.version), \($0)" }
      } else if stage.declarations != StageDeclarations() || stage.migrate != nil {
        problems.append(
          "Version \(stage.version) is the first one, and has a closure or declarations: no file "
            + "gets there by a stage. Remove them, or list the version before.")
      }
      leftovers = stage.declarations.schema(after: leftovers, to: target.schema)
      resolved.append(ResolvedStage(stage, target))
    }
    guard problems.isEmpty else { throw Self.invalid(problems) }
    return resolved
  }

  private static func check(
    _ frozen: FrozenSchema, isWhatThereIs current: DiscoveredSchema
  ) throws(RealmError) {
    let changes = SchemaDiff.changes(from: frozen.schema, to: current.schema)
    guard changes.contains(where: \.needsMigration) else { return }
    throw RealmError(
      .schemaMismatch,
      "The classes of the program are not those of the frozen version \(frozen.version):"
        + changes.filter(\.needsMigration).map { "\n- \($0)" }.joined()
        + "\nAdd a version \(frozen.version + 1) for the change.")
  }
}
