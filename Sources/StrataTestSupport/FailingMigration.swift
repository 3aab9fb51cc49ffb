public import Strata

/// What a migration throws that was told to fail.
public struct InjectedFailure: Error, Equatable {
  /// The version that the failing step goes to.
  public let version: Int

  /// What the step to a version throws.
  public init(version: Int) { self.version = version }
}

extension Realm.Configuration {
  /// The same configuration, whose migration does all its work up to the end of a step, and then
  /// fails: what it did must be rolled back.
  ///
  /// ```swift
  /// #expect(throws: InjectedFailure(version: 3)) {
  ///   try Realm(configuration: configuration.failing(atEndOf: 3))
  /// }
  /// ```
  /// Without a plan the single block fails, whatever the version. A file that needs no such step opens
  /// as ever.
  public func failing(atEndOf version: Int) -> Realm.Configuration {
    var copy = self
    if let plan = schemaPlan {
      copy.schemaPlan?.steps = plan.steps.map { step in
        step.version == version && step.version != plan.steps.first?.version
          ? step.failing(InjectedFailure(version: version)) : step
      }
    } else {
      let block = migrationBlock
      copy.migrationBlock = { migration, oldVersion in
        try block?(migration, oldVersion)
        throw InjectedFailure(version: version)
      }
    }
    return copy
  }
}
