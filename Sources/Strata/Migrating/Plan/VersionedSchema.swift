import IssueReporting

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
