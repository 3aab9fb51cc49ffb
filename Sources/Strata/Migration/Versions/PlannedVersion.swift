/// A version of a plan with its classes looked up.
struct PlannedVersion: Sendable {
  var version: UInt64
  var target: DiscoveredSchema
  var declarations: StepDeclarations
  var migrate: SchemaStep.Migrate?
}

extension SchemaPlan {
  /// The number of the last version, and the classes of the program; nil for all in the process.
  ///
  /// - Parameter types: The classes that the configuration lists.
  /// - Throws: ``RealmError`` with code `fail` when the versions are no sequence, or the last one
  ///   and the configuration contradict each other.
  func newest(
    _ types: [ObjectBase.Type]?
  ) throws(RealmError) -> (version: UInt64, types: [ObjectBase.Type]?) {
    let problems = VersionSequence.problems(in: steps.map(\.version)).map(\.description)
    guard problems.isEmpty, let last = steps.last else { throw Self.invalid(problems) }
    guard case .versioned(let schema) = last.source else { return (UInt64(last.version), types) }
    guard types == nil else {
      throw Self.invalid([
        "It ends with version \(last.version), '\(schema)', and the configuration lists 'objectTypes' "
          + "as well. Remove 'objectTypes', or end the plan with '.current(version: "
          + "\(last.version))'."
      ])
    }
    return (UInt64(last.version), try Self.classes(of: schema))
  }

  /// All versions with their classes, checked against each other.
  ///
  /// - Parameter current: The classes of the program.
  /// - Throws: ``RealmError`` with code `fail`, listing each mistake of the plan.
  func resolved(current: DiscoveredSchema) throws(RealmError) -> [PlannedVersion] {
    var versions: [PlannedVersion] = []
    var problems: [String] = []
    // With classes that left the plan, and not the files.
    var leftovers = Schema()
    for (index, step) in steps.enumerated() {
      let target: DiscoveredSchema
      switch step.source {
      case .versioned(let schema): target = try DiscoveredSchema.of(Self.classes(of: schema))
      case .frozen(let frozen) where index == steps.count - 1:
        try Self.check(frozen, isWhatThereIs: current)
        target = current
      case .frozen(let frozen): target = try DiscoveredSchema(frozen: frozen.schema)
      case .current:
        if index < steps.count - 1 {
          problems.append(
            "'.current(version: \(step.version))' is not the last one: the classes of the program "
              + "are at the last version. Freeze version \(step.version), or give its classes.")
        }
        target = current
      }
      if let before = versions.last {
        problems += step.declarations.problems(
          from: before.target.schema, leftovers: leftovers, to: target.schema
        ).map { "Version \(step.version), \($0)" }
      } else if step.declarations != StepDeclarations() || step.migrate != nil {
        problems.append(
          "Version \(step.version) is the first one, and has a closure or declarations: no file "
            + "gets there by a step. Remove them, or list the version before.")
      }
      leftovers = step.declarations.schema(after: leftovers, to: target.schema)
      versions.append(
        PlannedVersion(
          version: UInt64(step.version), target: target, declarations: step.declarations,
          migrate: step.migrate))
    }
    guard problems.isEmpty else { throw Self.invalid(problems) }
    return versions
  }

  private static func invalid(_ problems: [String]) -> RealmError {
    RealmError(
      .fail, "The schema plan is not valid:" + problems.map { "\n- \($0)" }.joined())
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

  private static func classes(
    of schema: any VersionedSchema.Type
  ) throws(RealmError) -> [ObjectBase.Type] {
    let types = schema.objectTypes
    guard !types.isEmpty else {
      throw invalid([
        "'\(schema)' has no model classes. Declare them inside of it, or list them in its "
          + "'objectTypes'."
      ])
    }
    return types
  }
}
