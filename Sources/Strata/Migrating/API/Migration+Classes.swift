extension Migration {
  /// Makes the objects of a class that the file calls otherwise those of a class of the program.
  ///
  /// They stay the same objects: identities, links to them, collections, keys, indexes and what is
  /// embedded in them are as they were. The cost does not depend on the number of objects, apart
  /// from those that an `AnyRealmValue` holds.
  ///
  /// ```swift
  /// // The file has `Person`, the program calls it `Human`.
  /// migration.renameClass(from: "Person", to: "Human")
  /// migration.renameProperty(onType: "Human", from: "age", to: "years")
  /// migration.enumerateObjects(ofType: "Human") { oldObject, newObject in
  ///   newObject!["fullName"] = "\(oldObject!["firstName"]!) \(oldObject!["lastName"]!)"
  /// }
  /// ```
  ///
  /// From here on both names stand for the class in `enumerateObjects`, and a link to `Person` is
  /// one to `Human`. Called before anything else in the block that concerns either class, or one
  /// that links to them: otherwise the migration fails, as it does when the file has no class
  /// `oldName`, when it already has one called `newName`, and unless the program has `newName` and
  /// no longer `oldName`. Several classes may be renamed; where one takes the name of another, that
  /// one is renamed first.
  public func renameClass(from oldName: String, to newName: String) {
    guard context.status.canWork() else { return }
    _ = context.status.attempt {
      try ClassRename(context: context, old: oldName, new: newName).run()
    }
  }
}
