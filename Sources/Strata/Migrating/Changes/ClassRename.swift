import StrataStorage

/// The implementation of `renameClass`: gives a class of the file the name of a class of the
/// program.
struct ClassRename {
  let context: MigrationContext
  let old: String
  let new: String

  private var classes: BlockClasses { context.classes }

  /// Renames the class.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a class that can't be renamed, or a
  ///   `DatabaseError`.
  func run() throws {
    try check()
    try keepTablesApart()
    try context.new.run([.renameTable(old, to: new, in: classes.physical)])
    let fileName = classes.rename(old, to: new)
    context.tables.old[fileName]?.className = new
    context.notes.recordChange()
    context.touch(nil)
  }

  /// Renames the tables of collections whose usual names, which contain the class name, would be
  /// taken.
  private func keepTablesApart() throws {
    let renamed = classes.physical.collectionsWithoutUsualName(
      of: old, renamedTo: new, as: classes.newSchema[new])
    for (from, to) in renamed {
      try context.new.run([.renameCollection(from, to: to)])
      classes.physical.name(table: to.name, of: from.property.columnName, in: old)
    }
  }

  private func check() throws(RealmError) {
    func refusal(_ reason: String) -> RealmError {
      RealmError(.fail, "Cannot rename class '\(old)' to '\(new)' because \(reason)")
    }
    guard classes.start[old] != nil else {
      throw refusal(
        "the file has no class '\(old)'. It has: \(BlockClasses.names(classes.start)).")
    }
    guard classes.physical[old] != nil else {
      throw refusal("the block has deleted '\(old)'. Leave out 'deleteData', or the rename.")
    }
    guard classes.newSchema[new] != nil else {
      throw refusal(
        "'\(new)' is not a class of the program. It has: \(BlockClasses.names(classes.newSchema)).")
    }
    guard classes.start[new] == nil else {
      throw refusal(
        "the file already has a class '\(new)'. Rename that one first, or carry the objects over "
          + "with 'enumerateObjects' and 'create'. Two classes that exchange their names keep those "
          + "of the file: override '_realmObjectName()' in both.")
    }
    let concerned = classes.start.classesLinking(to: old)
      .union(classes.newSchema.classesLinking(to: new)).union([old, new])
    let used = concerned.sorted().first {
      classes.prepared.contains($0) || context.new.isLooping(over: $0)
    }
    if let used {
      throw refusal(
        "the block has used '\(used)' before. Call 'renameClass' before anything else that concerns "
          + "the class, or those that link to it.")
    }
  }
}
