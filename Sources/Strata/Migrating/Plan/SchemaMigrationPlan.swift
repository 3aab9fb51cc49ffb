import IssueReporting
import StrataStorage

/// The schema versions of a file, beginning with the oldest, and the stages between them.
///
/// ```swift
/// let configuration = Realm.Configuration(migrationPlan: [
///   .version(V1.self),
///   .version(V2.self) { migration in
///     migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
///       new.fullName = old.firstName + " " + old.lastName
///     }
///   },
///   .version(V3.self).dropping("Person.age"),
/// ])
/// ```
/// A file at any of the versions is migrated through all later stages. The closure of a stage sees
/// the old and new schema of that stage, whatever later versions change: a working stage never has
/// to be changed. A new file is created at the last version, without calling closures.
///
/// All stages run in one transaction, unless ``commits`` is set to another value: the file is at
/// the old version or at the last one. The second closure, and each later one, needs a copy of the
/// tables in a temporary file, because no other connection sees uncommitted changes.
public struct SchemaMigrationPlan: Sendable, ExpressibleByArrayLiteral {
  /// The time at which stages are committed.
  public enum Commits: Sendable, Hashable {
    /// All stages are committed together. After a failure, the file is unchanged.
    case together
    /// Each stage is committed on its own. After a failure, the file is at the version before the
    /// failed stage, and the next opening continues from there. Use this for files so large that a
    /// stage must not run twice.
    case eachStage
  }

  /// The versions, without gaps. The first one is the oldest supported version of a file.
  public var stages: [MigrationStage]

  /// The time at which stages are committed.
  public var commits: Commits

  /// Creates a plan. The plan is checked when a file is opened with it.
  public init(_ stages: [MigrationStage], commits: Commits = .together) {
    self.stages = stages
    self.commits = commits
  }

  /// Creates a plan whose stages are committed together.
  public init(arrayLiteral stages: MigrationStage...) { self.init(stages) }
}

extension SchemaMigrationPlan {
  /// Returns the number of the last version, and the classes of the program; nil for all classes in
  /// the process.
  ///
  /// - Parameter types: The classes that the configuration lists.
  func newest(
    _ types: [ObjectBase.Type]?
  ) throws(RealmError) -> (version: UInt64, types: [ObjectBase.Type]?) {
    let problems = VersionSequence.problems(in: stages.map(\.version))
    guard problems.isEmpty, let last = stages.last else { throw Self.invalid(problems) }
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

  static func invalid(_ problems: [String]) -> RealmError {
    RealmError(
      .fail, "The schema plan is not valid:" + problems.map { "\n- \($0)" }.joined())
  }

  static func classes(
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

/// The model classes of one schema version, for migration stages that never have to be changed.
///
/// ```swift
/// enum V2: VersionedSchema {
///   static let version = 2
///   class Person: Object {
///     @Persisted var fullName = ""
///   }
/// }
/// typealias Person = V2.Person
/// ```
/// Classes of different versions may have the same name: each version is a schema of its own. Use
/// ``FrozenSchema`` to store an old version as JSON instead of classes.
public protocol VersionedSchema: SendableMetatype {
  /// The number of the version, from 0.
  static var version: Int { get }

  /// The classes of the version. By default, the classes declared inside of the type and its
  /// extensions.
  static var objectTypes: [ObjectBase.Type] { get }
}

extension VersionedSchema {
  public static var objectTypes: [ObjectBase.Type] {
    do {
      return try DiscoveredSchema.types(inside: Self.self)
    } catch {
      reportIssue("\(error.message)")
      return []
    }
  }
}

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
