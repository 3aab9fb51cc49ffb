/// The identities of the rows of a query, for access by position; read again when they may differ.
///
/// Eight bytes a row, and only for access by position.
final class RowList {
  private struct Version: Equatable {
    var time: UInt64
    var members: UInt64
    var values: UInt64
  }

  private var rows: [Int64] = []
  private var version: Version?

  func row(
    at position: Int, _ query: ObjectQuery, _ session: Session
  ) throws(RealmError) -> Int64? {
    try update(query, session)
    return rows.indices.contains(position) ? rows[position] : nil
  }

  func position(
    of row: Int64, _ query: ObjectQuery, _ session: Session
  ) throws(RealmError) -> Int? {
    try update(query, session)
    return rows.firstIndex(of: row)
  }

  private func update(_ query: ObjectQuery, _ session: Session) throws(RealmError) {
    let current = Self.version(query, session)
    guard version != current else { return }
    rows = try session.integers(query.select("t.\(query.table.identity)"), query.parameters)
    version = current
  }

  /// Inside of a transaction only changes of this table count, and of values only if it is sorted:
  /// a loop that changes each object by its position must not read the list again each time.
  private static func version(_ query: ObjectQuery, _ session: Session) -> Version {
    guard let transaction = session.transaction else {
      return Version(time: session.clock.now, members: 0, values: 0)
    }
    let counts = transaction.version(of: query.table)
    var version = Version(
      time: transaction.firstStamp, members: counts.members,
      values: query.isSorted ? counts.values : 0)
    switch query.source {
    case .all: break
    case .collection(let info, _), .containing(let info, _):
      version.members += transaction.changes(ofAll: info)
    // Which objects link is a matter of their values.
    case .linking: version.values = counts.values
    }
    return version
  }
}
