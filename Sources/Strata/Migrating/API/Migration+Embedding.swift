public import StrataSchema

extension Migration {
  /// What becomes of objects without a parent when their class becomes an embedded one.
  public typealias OrphanPolicy = StrataSchema.OrphanPolicy

  /// What becomes of objects with several parents when their class becomes an embedded one.
  public typealias SharedObjectPolicy = StrataSchema.SharedObjectPolicy

  /// Says how the objects of a class that becomes an embedded one get exactly one parent each.
  ///
  /// ```swift
  /// // `Address` was an `Object`, and is an `EmbeddedObject` now.
  /// migration.embedObjects(ofType: "Address", orphans: .delete, shared: .copy)
  /// ```
  ///
  /// Takes effect after the block, on what it leaves: a block may as well delete or copy objects
  /// itself. Without this call, objects with no parent or several fail the migration: deleting and
  /// copying data is nothing to be done unasked.
  ///
  /// A class that does not become an embedded one in this migration is a mistake, which fails it.
  public func embedObjects(
    ofType typeName: String, orphans: OrphanPolicy = .refuse, shared: SharedObjectPolicy = .refuse
  ) {
    guard context.status.canWork() else { return }
    let classes = context.classes
    guard let target = classes.newSchema[typeName], target.isEmbedded,
      let old = classes.start[typeName], !old.isEmbedded
    else {
      context.status.fail(
        "'\(typeName)' does not become an embedded class in this migration: it must be an 'Object' in "
          + "the file, and an 'EmbeddedObject' in the program.")
      return
    }
    context.new.flushForOperations().embeddingChoices[typeName] = EmbeddingChoice(
      orphans: orphans, shared: shared)
  }
}
