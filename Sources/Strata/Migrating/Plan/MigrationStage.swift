/// A schema version of a ``SchemaMigrationPlan``, with the migration from the previous version.
///
/// ```swift
/// .version(V3.self) { migration in
///   migration.enumerate(V2.Person.self, V3.Person.self) { old, new in
///     new.fullName = old.firstName + " " + old.lastName
///   }
/// }
/// .dropping("Person.age")
/// ```
/// A version that only changes the structure needs no closure. A stage that would lose values
/// fails, with an error that names them and their number, unless its closure reads them from the
/// old objects, or ``dropping(_:)`` allows the loss.
public struct MigrationStage: Sendable {
  /// A closure that migrates objects from the previous version to this one. An error of the closure
  /// ends the migration.
  public typealias Migrate = @Sendable (_ migration: Migration) throws -> Void

  enum Source: Sendable {
    case versioned(any VersionedSchema.Type)
    case frozen(FrozenSchema)
    case current
  }

  /// The number of the version.
  public let version: Int
  let source: Source
  let migrate: Migrate?
  package private(set) var declarations = StageDeclarations()

  private init(_ version: Int, _ source: Source, _ migrate: Migrate?) {
    self.version = version
    self.source = source
    self.migrate = migrate
  }

  /// Returns a stage whose version is defined by model classes.
  public static func version(
    _ schema: any VersionedSchema.Type, migrate: Migrate? = nil
  ) -> MigrationStage {
    MigrationStage(schema.version, .versioned(schema), migrate)
  }

  /// Returns a stage whose version is defined by a frozen schema.
  public static func frozen(_ schema: FrozenSchema, migrate: Migrate? = nil) -> MigrationStage {
    MigrationStage(schema.version, .frozen(schema), migrate)
  }

  /// Returns a stage with the classes of the configuration: its `objectTypes`, or every model class
  /// in the process. It must be the last stage.
  public static func current(version: Int, migrate: Migrate? = nil) -> MigrationStage {
    MigrationStage(version, .current, migrate)
  }

  // MARK: Declarations

  /// Allows the stage to drop the values of properties (`"Person.age"`), or a class that isn't in
  /// the version any more, with all its objects (`"Person"`). Without this, such a class stays in
  /// the file.
  ///
  /// Use the names of the previous version, after renames. A name that doesn't lose anything in
  /// this stage is an error, which fails the opening before anything is changed.
  public func dropping(_ names: String...) -> MigrationStage {
    declaring { $0.dropped.formUnion(names) }
  }

  /// Removes the values that earlier versions have kept for programs older than a version: see
  /// ``Migration/dropRetired(olderThan:)``.
  public func droppingRetired(olderThan version: UInt64) -> MigrationStage {
    declaring { $0.droppedRetired = version }
  }

  /// Renames a property from this version on: `.renaming("Person.age", to: "years")`. The property
  /// keeps its values. The rename happens before the closure is called.
  ///
  /// - Parameters:
  ///   - property: The name of the class in this version, and the old name of the property.
  ///   - name: The new name.
  public func renaming(_ property: String, to name: String) -> MigrationStage {
    // A name without a dot is not a property, which is reported when the plan is checked.
    let (className, old) = StageDeclarations.property(property) ?? (property, "")
    return declaring {
      $0.renamedProperties.append(.init(className: className, old: old, new: name))
    }
  }

  /// Renames a class from this version on. Its objects keep their identity, and links to them
  /// remain. The rename happens before everything else.
  public func renamingClass(_ name: String, to newName: String) -> MigrationStage {
    declaring { $0.renamedClasses.append(.init(old: name, new: newName)) }
  }

  /// Specifies the handling of objects that have no parent, or several parents, when their class
  /// becomes embedded: see ``Migration/embedObjects(ofType:orphans:shared:)``.
  public func embedding(
    _ typeName: String, orphans: Migration.OrphanPolicy = .refuse,
    shared: Migration.SharedObjectPolicy = .refuse
  ) -> MigrationStage {
    declaring {
      $0.embeddings[typeName] = EmbeddingChoice(orphans: orphans, shared: shared)
    }
  }

  /// Returns the same stage with an error at its end.
  package func failing(_ error: any Error) -> MigrationStage {
    let migrate = migrate
    var stage = MigrationStage(version, source) { migration in
      try migrate?(migration)
      throw error
    }
    stage.declarations = declarations
    return stage
  }

  private func declaring(_ change: (inout StageDeclarations) -> Void) -> MigrationStage {
    var stage = self
    change(&stage.declarations)
    return stage
  }
}
