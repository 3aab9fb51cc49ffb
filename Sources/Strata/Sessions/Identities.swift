import GRDB
import StrataStorage

/// The next identity of each table of a store, for the writing session.
struct Identities {
  /// They only grow: the identity of a rolled back row is not reused.
  private var next: [Int64]
  /// What ``WriteConnection/countOfOthers`` was when each was found out: others may give identities
  /// away.
  private var foundOut: [UInt64]

  init(tables count: Int) {
    next = Array(repeating: 1, count: count)
    foundOut = Array(repeating: 0, count: count)
  }

  /// An identity that no row of the table ever had.
  mutating func next(
    of table: Table, countOfOthers: UInt64, in transaction: WriteTransaction
  ) throws(RealmError) -> Int64 {
    if foundOut[table.index] != countOfOthers {
      next[table.index] = max(next[table.index], try first(of: table, in: transaction))
      foundOut[table.index] = countOfOthers
    }
    let identity = next[table.index]
    guard identity < .max else {
      throw RealmError(
        .fail,
        "Table '\(table.info.className)' has no identities left: its greatest "
          + "'\(table.schema.identityColumn)' is \(Int64.max). Give that row a smaller one.",
        fileURL: transaction.store.file.url)
    }
    next[table.index] = identity + 1
    return identity
  }

  /// The one behind all that the file says were given away.
  private func first(
    of table: Table, in transaction: WriteTransaction
  ) throws(RealmError) -> Int64 {
    let sql = InsertSQL.lastIdentity(
      of: table.info.className, identity: table.schema.identityColumn)
    // Elements that wait to be written give no identity away.
    let last = try transaction.writeNow { db, _ in try Int64.fetchOne(db, sql: sql) }
    let next = (last ?? 0).addingReportingOverflow(1)
    return next.overflow ? .max : next.partialValue
  }
}
