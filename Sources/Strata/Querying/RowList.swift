import Foundation
import StrataQuery
import StrataStorage

/// The identities of the rows of a query, for access by position; read again when they may differ.
///
/// Only for access by position.
final class RowList {
  private struct Stamp: Equatable {
    var time: UInt64
    /// Counts everything that the list depends on.
    var changes: UInt64
  }

  private struct Rows {
    var rows = RowSequence()
    var stamp: Stamp?
  }

  // Several threads may read frozen results.
  private let lock = NSLock()
  private var known = Rows()
  private var knownKey: String?

  /// What is the same for each list of the same query.
  func key(of query: ObjectQuery) -> String {
    if let key = lock.withLock({ knownKey }) { return key }
    let key = "\(query.select("")) \(query.parameters)"
    lock.withLock { knownKey = key }
    return key
  }

  /// The rows at those of some positions that there are.
  func rows(
    at positions: Range<Int>, _ query: ObjectQuery, _ session: Session
  ) throws(RealmError) -> [Int64] {
    try current(query, session)[positions]
  }

  func position(
    of row: Int64, _ query: ObjectQuery, _ session: Session
  ) throws(RealmError) -> Int? {
    try current(query, session).firstIndex(of: row)
  }

  private func current(
    _ query: ObjectQuery, _ session: Session
  ) throws(RealmError) -> RowSequence {
    let stamp = Self.stamp(query, session)
    let known = lock.withLock { self.known }
    if known.stamp == stamp { return known.rows }
    // Not under the lock: the thread that has the connection may wait for it.
    let rows = try session.rows(query.select("t.\(query.table.identity)"), query.parameters)
    lock.withLock { self.known = Rows(rows: rows, stamp: stamp) }
    return rows
  }

  /// Inside of a transaction only changes of what the query reads count: a loop that changes each
  /// object by its position must not read the list again each time.
  private static func stamp(_ query: ObjectQuery, _ session: Session) -> Stamp {
    guard let transaction = session.transaction else {
      return Stamp(time: session.clock.now, changes: 0)
    }
    let counts = transaction.changeCounts(of: query.table)
    var changes = counts.members
    switch query.source {
    case .all: break
    case .collection(let info, _), .containing(let info, _):
      changes += transaction.changes(ofAll: info)
    // Which objects link is a matter of their values.
    case .linking: changes += counts.values
    }
    for read in query.sql.reads { changes += transaction.changes(of: read, session.store) }
    return Stamp(
      time: transaction.firstStamp, changes: changes + transaction.watched.changes)
  }
}

extension WriteTransaction {
  /// A number that grows when what a query reads may have changed. Changes of properties are
  /// counted together, from now on.
  fileprivate func changes(of read: QueryRead, _ store: Store) -> UInt64 {
    switch read {
    case .rows(let className):
      return store.table(className: className).map { changeCounts(of: $0).members } ?? 0
    case .property(let property):
      guard let table = store.table(className: property.className),
        let slot = table.info.slot(property.property.name)
      else { return 0 }
      if let collection = table.collections[slot] { return changes(ofAll: collection) }
      watched.watch(slot, in: table)
      return changeCounts(of: table).members
    }
  }
}
