import GRDB
import StrataStorage

/// The objects that a transaction invalidated, as long as the program holds them. A rollback makes
/// them usable again.
struct LostObjects {
  private struct Lost {
    weak var object: ObjectBase?
    var state: UInt8
    /// Weak, because the session keeps the transaction.
    let session: SessionReference
  }

  private var objects: [Lost] = []

  /// Records an object that is about to be invalidated.
  mutating func record(_ object: ObjectBase) {
    guard let session = object._context as? Session else { return }
    // A loop that deletes objects releases each of them at once.
    if WeakHolder.shouldPruneReleased(objects.count) { objects.removeAll { $0.object == nil } }
    objects.append(Lost(object: object, state: object._state, session: session.reference))
  }

  /// Restores all objects except the ones that the transaction has inserted.
  func restore(unless isNew: (ObjectBase) -> Bool) {
    for lost in objects {
      guard let object = lost.object, let session = lost.session.object, !isNew(object) else {
        continue
      }
      object._state = lost.state
      object._context = session
      // Forces the next use to read the row again.
      object._stamp = 0
    }
  }
}

/// The rows that transactions of a session have removed: the deleted ones, and the inserted ones of
/// rolled back transactions.
struct DeletedRows {
  /// The rows that were deleted. Using their objects is a programmer error.
  private var deleted = TouchedRows()
  /// The rows of rollbacks, with the times at which they existed: another process may reuse their
  /// identities.
  private var rolledBack: [(rows: TouchedRows, times: ClosedRange<UInt64>)] = []
  /// The limit of recorded rollbacks. An object of an older rollback is looked up in the file. Its
  /// row is found only if another process has used the identity since; this process never does.
  private static let maxRolledBack = 64

  mutating func addDeleted(_ rows: TouchedRows) { deleted.formUnion(rows) }

  mutating func addRolledBack(_ rows: TouchedRows, during times: ClosedRange<UInt64>) {
    guard !rows.isEmpty else { return }
    rolledBack.append((rows, times))
    if rolledBack.count > Self.maxRolledBack { rolledBack.removeFirst() }
  }

  /// The number of recorded rollbacks.
  var rolledBackCount: Int { rolledBack.count }

  func hasDeleted(_ row: Int64, in table: Table) -> Bool { deleted.contains(row, in: table) }

  func hasRolledBack(_ object: ObjectBase, in table: Table) -> Bool {
    // Objects that were read outside of transactions have earlier times than all of these.
    guard let first = rolledBack.first, object._stamp >= first.times.lowerBound else {
      return false
    }
    return rolledBack.contains {
      $0.times.contains(object._stamp) && $0.rows.contains(object._rowID, in: table)
    }
  }
}

/// The objects whose rows a transaction has written, up to a limit.
///
/// They need not be read again after a commit that wrote nothing else.
struct WrittenObjects {
  private var objects: [(object: ObjectBase, row: ObjectRow)] = []
  private var areKnown = true

  private static let maxCount = 64

  /// Records objects whose values equal their rows.
  ///
  /// - Returns: The objects that are no longer recorded. The caller must release them: their
  ///   deinitializers may run code of the program, which may write other objects.
  mutating func record(_ written: [ObjectBase], in table: Table) -> [ObjectBase] {
    guard areKnown, !written.isEmpty else { return [] }
    // A custom type may read another value than it has stored.
    guard table.info.row.readsWhatIsWritten, objects.count + written.count <= Self.maxCount else {
      areKnown = false
      defer { objects = [] }
      return objects.map(\.object)
    }
    for object in written {
      objects.append((object, ObjectRow(table: table.index, row: object._rowID)))
    }
    return []
  }

  /// The objects that equal their rows after a commit.
  ///
  /// Empty if SQLite changed other rows, for example by triggers and foreign keys, or if a row was
  /// written several times, perhaps by another object.
  ///
  /// - Parameter changedRows: The number of rows that the transaction has changed.
  func current(changedRows: Int) -> [ObjectBase] {
    guard areKnown, objects.count == changedRows else { return [] }
    guard objects.count < 2 || Set(objects.map(\.row)).count == objects.count else { return [] }
    return objects.map(\.object)
  }
}

/// The next identity of each table of a store, for the writing session.
struct Identities {
  /// The next identities. They only grow: the identity of a rolled back row is not reused.
  private var next: [Int64]
  /// The values of ``WriteConnection/countOfOthers`` when the identities were read. A higher count
  /// means that other writers may have used identities.
  private var foundOut: [UInt64]

  init(tables count: Int) {
    next = Array(repeating: 1, count: count)
    foundOut = Array(repeating: 0, count: count)
  }

  /// Returns an identity that no row of the table ever had.
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

  /// The first identity that the file doesn't list as used.
  private func first(
    of table: Table, in transaction: WriteTransaction
  ) throws(RealmError) -> Int64 {
    let sql = InsertSQL.lastIdentity(
      of: table.info.className, identity: table.schema.identityColumn)
    // Pending elements of collections use no identities, so they need not be written first.
    let last = try transaction.writeNow { db, _ in try Int64.fetchOne(db, sql: sql) }
    let next = (last ?? 0).addingReportingOverflow(1)
    return next.overflow ? .max : next.partialValue
  }
}
