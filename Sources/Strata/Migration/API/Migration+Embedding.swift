extension Migration {
  /// What becomes of objects without a parent when their class becomes an embedded one.
  public enum OrphanPolicy: Sendable {
    /// The migration fails, and says how many there are, and which.
    case refuse
    /// They are deleted, with what is embedded in them.
    case delete
  }

  /// What becomes of objects with several parents when their class becomes an embedded one.
  public enum SharedObjectPolicy: Sendable {
    /// The migration fails, and says which they are, and whose.
    case refuse
    /// The first parent keeps the object, each other one gets a copy. What is embedded in the object
    /// is copied as well; objects that it links to are not.
    case copy
  }

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
    context.embed(
      typeName,
      EmbeddingChoice(orphanPolicy: orphans, sharedPolicy: shared))
  }
}

extension EmbeddingChoice {
  init(
    orphanPolicy orphans: Migration.OrphanPolicy, sharedPolicy shared: Migration.SharedObjectPolicy
  ) {
    self.init()
    if orphans == .delete { self.orphans = .delete }
    if shared == .copy { self.shared = .copy }
  }
}

extension MigrationContext {
  func embed(_ className: String, _ choice: EmbeddingChoice) {
    guard canWork() else { return }
    guard let target = newSchema[className], target.isEmbedded,
      let old = start[className], !old.isEmbedded
    else {
      fail(
        "'\(className)' does not become an embedded class in this migration: it must be an 'Object' in "
          + "the file, and an 'EmbeddedObject' in the program.")
      return
    }
    runner.embeddingChoices[className] = choice
  }
}
