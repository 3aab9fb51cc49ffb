/// One version that a migration brings a file to: by the single block of a configuration, or by a
/// step of its plan.
struct VersionStep: Sendable {
  var version: UInt64
  var target: DiscoveredSchema
  var block: MigrationBlock?
  var declarations = StepDeclarations()
  /// Whether values may only go that the step speaks of.
  var isStrict = false
  /// Whether code of the user runs.
  var runsClosure = false
}

extension VersionStep {
  /// A step of a plan, with what it declares done before and after its closure.
  init(_ planned: PlannedVersion) {
    self.init(
      version: planned.version, target: planned.target, block: Self.block(of: planned),
      declarations: planned.declarations, isStrict: true, runsClosure: planned.migrate != nil)
  }

  private static func block(of planned: PlannedVersion) -> MigrationBlock? {
    let declarations = planned.declarations
    let migrate = planned.migrate
    guard migrate != nil || declarations.needsBlock else { return nil }
    return { migration, _ in
      for rename in declarations.renamedClasses {
        migration.renameClass(from: rename.old, to: rename.new)
      }
      for rename in declarations.renamedProperties {
        migration.renameProperty(onType: rename.className, from: rename.old, to: rename.new)
      }
      try migrate?(migration)
      for name in declarations.dropped.sorted() where StepDeclarations.property(name) == nil {
        migration.deleteData(forType: name)
      }
    }
  }
}

extension OpenRequest {
  /// The steps that bring a file to the version of the program.
  ///
  /// - Throws: ``RealmError`` with code `fail` or `schemaMismatch` when the file is at no version of
  ///   the plan, or isn't what the plan says of its version.
  func steps(
    from state: FileState, to discovered: DiscoveredSchema
  ) throws(RealmError) -> [VersionStep] {
    let steps = try allSteps(from: state, to: discovered)
    return plan?.commits == .eachStep ? Array(steps.prefix(1)) : steps
  }

  /// The steps, whether or not they take effect together.
  func allSteps(
    from state: FileState, to discovered: DiscoveredSchema
  ) throws(RealmError) -> [VersionStep] {
    guard let plan else {
      return [
        VersionStep(
          version: schemaVersion, target: discovered, block: migrationBlock,
          runsClosure: migrationBlock != nil)
      ]
    }
    guard let version = state.version else {
      return [VersionStep(version: schemaVersion, target: discovered)]
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
    var known = StepDeclarations().schema(after: state.schema, to: declared.target.schema)
    for next in remaining {
      let problems = SchemaValidator.problems(
        in: next.target.schema, besides: next.declarations.renamed(known))
      guard problems.isEmpty else {
        throw RealmError(.fail, ErrorText.validation(problems.map(\.description)))
      }
      known = next.declarations.schema(after: known, to: next.target.schema)
    }
    var steps = remaining.map { VersionStep($0) }
    // What needs no higher version may be missing in the file: the first step finds it done.
    if !SchemaDiff.changes(from: state.schema, to: declared.target.schema).isEmpty {
      steps.insert(VersionStep(version: version, target: declared.target), at: 0)
    }
    return steps
  }

  private func check(_ schema: Schema, isWhat declared: PlannedVersion) throws(RealmError) {
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
