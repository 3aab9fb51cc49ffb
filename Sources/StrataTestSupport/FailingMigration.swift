public import Strata

extension Realm.Configuration {
  /// The same configuration, whose migration does all its work up to the end of a stage, and then
  /// fails: what it did must be rolled back.
  ///
  /// ```swift
  /// #expect(throws: InjectedFailure(version: 3)) {
  ///   try Realm(configuration: configuration.failing(atEndOf: 3))
  /// }
  /// ```
  /// Without a plan the single block fails, whatever the version. A file that needs no such stage
  /// opens normally.
  public func failing(atEndOf version: Int) -> Realm.Configuration {
    var copy = self
    if let plan = migrationPlan {
      copy.migrationPlan?.stages = plan.stages.map { stage in
        stage.version == version && stage.version != plan.stages.first?.version
          ? stage.failing(InjectedFailure(version: version)) : stage
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
