extension Case {
  /// The suite, in the order in which it runs.
  static var all: [Case] { closures + schemaChanges + objects }

  /// Migrations with a closure that sees each row.
  private static var closures: [Case] {
    [
      combineStrings, editEveryRow, editFewRows, numberToText, createLinked, iterateInMigration,
      fiveChanges,
    ]
  }

  /// Migrations without one.
  private static var schemaChanges: [Case] {
    [
      addOptional, addRequired, renameProperty, renameClass, removeProperty, transformNumber,
      addPrimaryKey, embedObjects,
    ]
  }

  /// Work on a file that needs no migration.
  private static var objects: [Case] {
    [
      openFile, addObjects, changeEveryObject, iterate, fetchByKey, readAgain, appendToList,
      readListMiddle,
    ] + openManyTables + createManyTables
  }
}
