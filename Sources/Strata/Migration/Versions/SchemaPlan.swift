/// The schema versions of a file, the oldest first, and the steps between them.
///
/// ```swift
/// let configuration = Realm.Configuration(schemaPlan: [
///   .version(V1.self),
///   .version(V2.self) { migration in
///     migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
///       new.fullName = old.firstName + " " + old.lastName
///     }
///   },
///   .version(V3.self).dropping("Person.age"),
/// ])
/// ```
/// A file at any of the versions walks each step up to the last one. The closure of a step sees its
/// own old and new schema, whatever later versions did to them: nobody has to go back to a step
/// that works. A new file begins at the last version, and no closure is called.
///
/// The whole walk is one transaction, unless ``commits`` says otherwise: the file is at the old
/// version or at the last one. From the second closure on a step that has one copies the tables
/// first, to a temporary file, because no other connection sees what isn't committed.
public struct SchemaPlan: Sendable, ExpressibleByArrayLiteral {
  /// When the steps take effect.
  public enum Commits: Sendable, Hashable {
    /// All at once: after a failure the file is as it was.
    case together
    /// Each on its own: after a failure the file is at the version before the step that failed, and
    /// the next opening goes on from there. For files so large that a step must not be done twice.
    case eachStep
  }

  /// The versions, without gaps. The first is the oldest that a file may be at.
  public var steps: [SchemaStep]

  /// When the steps take effect.
  public var commits: Commits

  /// Makes a plan. Whether it is one shows when a file is opened with it.
  public init(_ steps: [SchemaStep], commits: Commits = .together) {
    self.steps = steps
    self.commits = commits
  }

  /// Makes a plan whose steps take effect together.
  public init(arrayLiteral steps: SchemaStep...) { self.init(steps) }
}
