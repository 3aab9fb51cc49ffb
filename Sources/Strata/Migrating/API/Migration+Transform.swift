extension Migration {
  /// Gives properties of a class values that SQLite computes of the old ones, without going through
  /// the objects.
  ///
  /// ```swift
  /// migration.transform(V1.Person.self, V2.Person.self) { old, new in
  ///   new.fullName = old.firstName + " " + old.lastName
  ///   new.age = old.age.text
  /// }
  /// ```
  ///
  /// The closure is called once, and describes what each property becomes: ``TransformValue`` says
  /// what there is. Properties that it does not set become what they would without it. Where the
  /// table must be rebuilt for the class, each row is written once, as what it becomes; otherwise
  /// one statement sets the properties. Objects can be enumerated afterwards.
  ///
  /// Called before anything else in the block that touches the class: otherwise the migration
  /// fails. It fails as well when the file has no such class, when properties that are read have
  /// other types in the file than in the old class, and for a value that can't be computed or
  /// stored.
  ///
  /// - Parameters:
  ///   - old: The class as it was when the file was written, or the current one where nothing of
  ///     what is read has changed.
  ///   - new: The class of the program.
  ///   - body: Gives the new properties their expressions.
  /// - Throws: What the closure throws.
  public func transform<Old: ObjectBase, New: ObjectBase>(
    _ old: Old.Type, _ new: New.Type,
    _ body: (_ old: TransformSource<Old>, _ new: TransformTarget<New>) throws -> Void
  ) rethrows {
    try transform(old, new, nil, body)
  }

  /// - Parameter condition: Nil for all objects.
  func transform<Old: ObjectBase, New: ObjectBase>(
    _ old: Old.Type, _ new: New.Type, _ condition: MigrationCondition?,
    _ body: (_ old: TransformSource<Old>, _ new: TransformTarget<New>) throws -> Void
  ) rethrows {
    guard context.status.canWork() else { return }
    let target = TransformTarget(new)
    try body(TransformSource(old), target)
    let transform = ClassTransform(
      context: context, name: new.className(), assignments: target.assignments, condition: condition
    )
    _ = context.status.attempt {
      try transform.check(new, from: old.className())
      try transform.run()
    }
  }

  /// Gives properties of a class values that SQLite computes of the old ones, by their names.
  ///
  /// ```swift
  /// migration.transform("Person") { old, new in
  ///   new["fullName"] = old["firstName"] + " " + old["lastName"]
  /// }
  /// ```
  ///
  /// As with classes; types are compared before anything is written, and those that don't fit fail
  /// the migration. Old properties have the names of their columns.
  /// - Throws: What the closure throws.
  public func transform(
    _ typeName: String,
    _ body: (_ old: DynamicTransformSource, _ new: DynamicTransformTarget) throws -> Void
  ) rethrows {
    try transform(typeName, nil, body)
  }

  /// - Parameter condition: Nil for all objects.
  func transform(
    _ typeName: String, _ condition: MigrationCondition?,
    _ body: (_ old: DynamicTransformSource, _ new: DynamicTransformTarget) throws -> Void
  ) rethrows {
    guard context.status.canWork() else { return }
    let target = DynamicTransformTarget()
    try body(DynamicTransformSource(), target)
    guard context.status.canWork() else { return }
    _ = context.status.attempt {
      try ClassTransform(
        context: context, name: typeName, assignments: target.assignments, condition: condition
      ).run()
    }
  }
}
