extension Case {
  /// The suite, in the order in which it runs.
  static var all: [Case] {
    [
      combineStrings, editEveryRow, editFewRows, numberToText, createLinked,
      addObjects, iterate, iterateInMigration, changeEveryObject,
    ]
  }
}
