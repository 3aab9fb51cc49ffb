import StrataStorage

extension MigrationContext {
  /// A loop over the old objects of a class, or those for which a condition is true; nil when
  /// there are none, or after a mistake.
  func loop(over old: MigrationTable, where condition: MigrationCondition?) -> MigrationLoop? {
    guard let condition else { return loop(over: old) }
    guard let query = status.attempt({ try condition.query(of: old) }) else { return nil }
    return loop(over: old, finding: query)
  }

  /// Notes the rows of a class for whose old objects a condition is true, where statements of the
  /// new side can look.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a wrong condition, or a `DatabaseError`.
  func noteRows(of className: String, where condition: MigrationCondition) throws -> NotedRows {
    let query = try oldTable(className).map { ($0, try condition.query(of: $0)) }
    notes.conditionCount += 1
    let noted = try NotedRows(new.flush(), number: notes.conditionCount)
    guard let (table, query) = query else { return noted }
    let reader = try table.makeReader(finding: query)
    while try reader.next() { try noted.add(reader.row) }
    return noted
  }

  /// Deletes the objects of a class for whose old objects a condition is true; returns how many.
  func delete(_ className: String, where condition: MigrationCondition) -> Int {
    guard status.canWork() else { return 0 }
    logIfUnknown(className)
    guard let old = oldTable(className) else { return 0 }
    return status.attempt {
      let query = try condition.query(of: old)
      guard let new = newTable(className) else {
        throw RealmError(
          .fail,
          "Cannot delete objects of '\(className)': it is not a class of the program. It has: "
            + "\(BlockClasses.names(classes.newSchema)). Delete all of them with "
            + "'deleteData(forType: \"\(className)\")'.")
      }
      var count = 0
      try deleting(from: className) {
        let rows = new.flushedRows(all: true)
        let reader = try old.makeReader(finding: query)
        while try reader.next() {
          guard !isDeleted(reader.row, of: className) else { continue }
          try rows.delete(reader.row)
          noteDeleted(reader.row, of: className)
          count += 1
        }
      }
      return count
    } ?? 0
  }
}
