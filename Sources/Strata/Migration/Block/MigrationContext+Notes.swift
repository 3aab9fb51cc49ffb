/// What a migration remembers of what its block has read, changed and deleted.
extension MigrationContext {
  func isDeleted(_ row: Int64, of className: String) -> Bool {
    if !deleted.isEmpty, deleted[className]?.contains(row) == true { return true }
    // Rows that triggers deleted are noted nowhere.
    guard uncertain.contains(className), let table = newTable(className) else { return false }
    return !exists(row, in: table)
  }

  /// Notes that triggers may have deleted objects of classes.
  func noteUncertain(_ classNames: some Collection<String>) {
    version += 1
    guard !classNames.isEmpty else { return }
    uncertain.formUnion(classNames)
    // They may have made links nil as well.
    touch(nil)
  }

  /// - Parameter isMerged: Whether another row has taken the place of this one.
  func noteDeleted(_ row: Int64, of className: String, isMerged: Bool = false) {
    if deleted[className, default: RowSet()].insert(row) {
      if isMerged {
        operationRunner.accounts.noteMerged(className)
      } else {
        operationRunner.accounts.noteDeleted(className)
      }
    }
    version += 1
  }

  /// The name that a class has in the file; nil for one that the file doesn't have.
  func fileName(of className: String) -> String? {
    fileNames[className] ?? (start[className] == nil ? nil : className)
  }

  /// The classes of the new side of which rows may have come or gone.
  var involvedClasses: Set<String> {
    operationRunner.accounts.changedClasses.union(uncertain)
      .intersection(physical.objectSchema.map(\.className))
  }

  func noteChange() { version += 1 }

  func noteCarried(_ columns: some Sequence<String>, of className: String) {
    for column in columns { carried.insert("\(className).\(column)") }
  }
}
