/// The rows that the transactions of a session have removed: those that they deleted, and those
/// that they inserted and took back.
struct GoneRows {
  /// Using their objects is a mistake.
  private var deleted = TouchedRows()
  /// With the times at which they were there: another process may give their identities to rows of
  /// its own.
  private var rolledBack: [(rows: TouchedRows, times: ClosedRange<UInt64>)] = []
  /// An object of an older rollback is looked up in the file like any other. It is found only if
  /// another process has used its identity since; this process never does.
  private static let mostRolledBack = 64

  mutating func addDeleted(_ rows: TouchedRows) { deleted.formUnion(rows) }

  mutating func addRolledBack(_ rows: TouchedRows, during times: ClosedRange<UInt64>) {
    guard !rows.isEmpty else { return }
    rolledBack.append((rows, times))
    if rolledBack.count > Self.mostRolledBack { rolledBack.removeFirst() }
  }

  /// How many rolled back transactions it remembers.
  var rolledBackCount: Int { rolledBack.count }

  func hasDeleted(_ row: Int64, in table: Table) -> Bool { deleted.contains(row, in: table) }

  func hasRolledBack(_ object: ObjectBase, in table: Table) -> Bool {
    // Objects that were read outside of transactions have earlier times than any of these.
    guard let first = rolledBack.first, object._stamp >= first.times.lowerBound else {
      return false
    }
    return rolledBack.contains {
      $0.times.contains(object._stamp) && $0.rows.contains(object._rowID, in: table)
    }
  }
}
