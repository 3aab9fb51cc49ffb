import IssueReporting
import StrataStorage

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

extension SchemaMigrationPlan {
  /// The number of the last version, and the classes of the program; nil for all in the process.
  ///
  /// - Parameter types: The classes that the configuration lists.
  /// - Throws: ``RealmError`` with code `fail` when the versions don't form a sequence, or the last
  ///   one and the configuration contradict each other.
  func newest(
    _ types: [ObjectBase.Type]?
  ) throws(RealmError) -> (version: UInt64, types: [ObjectBase.Type]?) {
    let problems = VersionSequence.problems(in: stages.map(\.version)).map(\.description)
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

/// The model classes of one schema version, so that a stage of a migration can be written against
/// them for good.
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
/// Classes of different versions may have the same name: each version is a schema of its own. Where
/// old classes need not live in the code, ``FrozenSchema`` says the same in JSON.
public protocol VersionedSchema: SendableMetatype {
  /// The number of the version, from 0.
  static var version: Int { get }

  /// The classes of the version. Unless it is written down, those declared inside of the type, also
  /// in extensions of it.
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
