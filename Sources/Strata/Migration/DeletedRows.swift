/// The rows that a migration block deleted, whose old objects have no counterpart any more.
struct DeletedRows {
  private var rows: [String: RowSet] = [:]
  private var cleared: Set<String> = []

  func contains(_ row: Int64, of className: String) -> Bool {
    if rows.isEmpty && cleared.isEmpty { return false }
    return cleared.contains(className) || rows[className]?.contains(row) == true
  }

  mutating func insert(_ row: Int64, of className: String) {
    rows[className, default: RowSet()].insert(row)
  }

  /// All rows that were there before the migration.
  mutating func insertAll(of className: String) {
    cleared.insert(className)
  }
}
