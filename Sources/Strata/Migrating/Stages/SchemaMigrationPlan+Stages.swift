import StrataStorage

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
  /// - Throws: ``RealmError`` with code `fail`, listing all errors of the plan.
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
