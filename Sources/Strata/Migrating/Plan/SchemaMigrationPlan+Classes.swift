import StrataStorage

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
