/// One schema version of a ``SchemaMigrationPlan``, with what brings the version before it here.
///
/// ```swift
/// .version(V3.self) { migration in
///   migration.enumerate(V2.Person.self, V3.Person.self) { old, new in
///     new.fullName = old.firstName + " " + old.lastName
///   }
/// }
/// .dropping("Person.age")
/// ```
/// A version that only changes the structure needs no closure. A stage that would take values away
/// fails, and says which and how many, unless its closure reads them from the old objects, or
/// ``dropping(_:)`` says that they may go.
public struct MigrationStage: Sendable {
  /// Brings objects from the version before to this one. What it throws ends the migration.
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

  /// A version that is given as its model classes.
  public static func version(
    _ schema: any VersionedSchema.Type, migrate: Migrate? = nil
  ) -> MigrationStage {
    MigrationStage(schema.version, .versioned(schema), migrate)
  }

  /// A version that is given as a schema which was written down.
  public static func frozen(_ schema: FrozenSchema, migrate: Migrate? = nil) -> MigrationStage {
    MigrationStage(schema.version, .frozen(schema), migrate)
  }

  /// The version that the classes of the configuration are at: its `objectTypes`, or every model
  /// class in the process. It can only be the last one.
  public static func current(version: Int, migrate: Migrate? = nil) -> MigrationStage {
    MigrationStage(version, .current, migrate)
  }

  // MARK: Declarations

  /// Says that the values of properties may go (`"Person.age"`), or a class that the version no
  /// longer has, with all its objects (`"Person"`), which otherwise stays in the file.
  ///
  /// Names are those of the version before, after renames. A name of which the stage takes nothing
  /// away is a mistake, which fails the opening before anything is changed.
  public func dropping(_ names: String...) -> MigrationStage {
    declaring { $0.dropped.formUnion(names) }
  }

  /// Says that a property is called otherwise from this version on: `.renaming("Person.age", to:
  /// "years")`. It keeps its values. Done before the closure.
  ///
  /// - Parameters:
  ///   - property: The class as it is called in this version, and the old name.
  ///   - name: The new name.
  public func renaming(_ property: String, to name: String) -> MigrationStage {
    // Without a dot it names no property, which is told when the plan is checked.
    let (className, old) = StageDeclarations.property(property) ?? (property, "")
    return declaring {
      $0.renamedProperties.append(.init(className: className, old: old, new: name))
    }
  }

  /// Says that a class is called otherwise from this version on. Its objects keep their identity,
  /// and what links to them. Done before everything else.
  public func renamingClass(_ name: String, to newName: String) -> MigrationStage {
    declaring { $0.renamedClasses.append(.init(old: name, new: newName)) }
  }

  /// Says what becomes of objects that have no parent or several when their class becomes an
  /// embedded one: see ``Migration/embedObjects(ofType:orphans:shared:)``.
  public func embedding(
    _ typeName: String, orphans: Migration.OrphanPolicy = .refuse,
    shared: Migration.SharedObjectPolicy = .refuse
  ) -> MigrationStage {
    declaring {
      $0.embeddings[typeName] = EmbeddingChoice(orphans: orphans, shared: shared)
    }
  }

  /// The same stage, which fails when everything else is done.
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
