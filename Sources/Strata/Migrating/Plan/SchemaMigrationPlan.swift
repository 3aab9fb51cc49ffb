/// The schema versions of a file, the oldest first, and the stages between them.
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
/// A file at any of the versions goes through each stage up to the last one. The closure of a stage
/// sees its own old and new schema, whatever later versions did to them: a stage that works never
/// has to be changed. A new file begins at the last version, and no closure is called.
///
/// All stages are one transaction, unless ``commits`` says otherwise: the file is at the old
/// version or at the last one. From the second closure on a stage that has one copies the tables
/// first, to a temporary file, because no other connection sees what isn't committed.
public struct SchemaMigrationPlan: Sendable, ExpressibleByArrayLiteral {
  /// The moment at which the stages take effect.
  public enum Commits: Sendable, Hashable {
    /// All at once: after a failure the file is as it was.
    case together
    /// Each on its own: after a failure the file is at the version before the stage that failed,
    /// and the next opening continues from there. For files so large that a stage must not be done
    /// twice.
    case eachStage
  }

  /// The versions, without gaps. The first is the oldest that a file may be at.
  public var stages: [MigrationStage]

  /// When the stages take effect.
  public var commits: Commits

  /// Makes a plan. Whether it is one shows when a file is opened with it.
  public init(_ stages: [MigrationStage], commits: Commits = .together) {
    self.stages = stages
    self.commits = commits
  }

  /// Makes a plan whose stages take effect together.
  public init(arrayLiteral stages: MigrationStage...) { self.init(stages) }
}
