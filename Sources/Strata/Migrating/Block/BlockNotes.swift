import StrataStorage

/// The notes on what a block has read, changed and deleted.
final class BlockNotes {
  /// Changes whenever a row or a table of the new side does.
  @exclusivity(unchecked) private(set) var version = 0
  /// `Person.age`: the properties of the file that the block has read, renamed or deleted.
  private(set) var carried: Set<String> = []
  /// The properties of the file whose names the block has given to others.
  var replaced: [PossibleLoss] = []
  /// The rows that the block deleted, whose old objects have no counterpart any more.
  private var deleted: [String: RowSet] = [:]
  /// The classes whose rows triggers may have deleted.
  private(set) var uncertain: Set<String> = []
  /// The classes whose new rows may have other values than the old ones; nil for all.
  private var touched: Set<String>? = []

  /// How many times duplicates were looked for.
  var resolutionCount = 0
  /// How many times rows were noted for a condition.
  var conditionCount = 0

  func noteChange() { version += 1 }

  func noteCarried(_ columns: some Sequence<String>, of className: String) {
    for column in columns { carried.insert("\(className).\(column)") }
  }

  // MARK: Deleted rows

  /// Notes that a row was deleted; false when it was before.
  func noteDeleted(_ row: Int64, of className: String) -> Bool {
    version += 1
    return deleted[className, default: RowSet()].insert(row)
  }

  /// Whether the block has deleted a row itself.
  @inline(__always)
  func hasDeleted(_ row: Int64, of className: String) -> Bool {
    !deleted.isEmpty && deleted[className]?.contains(row) == true
  }

  /// Notes that triggers may have deleted objects of classes.
  func noteUncertain(_ classNames: Set<String>) { uncertain.formUnion(classNames) }

  // MARK: Touched rows

  /// Notes that rows of a class, or of all, may have changed outside of its loop.
  func touch(_ className: String?) {
    if let className { touched?.insert(className) } else { touched = nil }
  }

  func isTouched(_ className: String) -> Bool { touched?.contains(className) ?? true }
}
