import GRDB
import StrataStorage

/// The objects that a transaction made unusable, as long as the program holds them: they can be
/// used again when it is taken back.
struct LostObjects {
  private struct Lost {
    weak var object: ObjectBase?
    var state: UInt8
    /// Weak: the context keeps the transaction.
    weak var context: ManagedContext?
  }

  private var objects: [Lost] = []

  /// Notes an object that is about to become unusable.
  mutating func note(_ object: ObjectBase) {
    guard let context = object._context else { return }
    // A loop that deletes lets go of each object at once.
    if WeakHolder.isTimeToForget(objects.count) { objects.removeAll { $0.object == nil } }
    objects.append(Lost(object: object, state: object._state, context: context))
  }

  /// Makes the objects what they were, but for those that the transaction has made.
  func restore(unless isNew: (ObjectBase) -> Bool) {
    for lost in objects {
      guard let object = lost.object, let context = lost.context, !isNew(object) else { continue }
      object._state = lost.state
      object._context = context
      // It is read again.
      object._stamp = 0
    }
  }
}

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

/// The objects whose rows a transaction has written, as long as these are few.
///
/// After the commit they need not be read again: nothing else was written.
struct WrittenObjects {
  private struct Row: Hashable {
    var table: Int
    var identity: Int64
  }

  private var objects: [(object: ObjectBase, row: Row)] = []
  private var areKnown = true

  private static let most = 64

  /// Notes objects whose values are those of their rows.
  ///
  /// - Returns: Those that are forgotten, to be released by the caller: code of the program may run
  ///   at their end, and write others.
  mutating func note(_ written: [ObjectBase], in table: Table) -> [ObjectBase] {
    guard areKnown, !written.isEmpty else { return [] }
    // A type of the program may read another value than it has stored.
    guard table.info.row.readsWhatIsWritten, objects.count + written.count <= Self.most else {
      areKnown = false
      defer { objects = [] }
      return objects.map(\.object)
    }
    for object in written {
      objects.append((object, Row(table: table.index, identity: object._rowID)))
    }
    return []
  }

  /// The objects that are as their rows are, after a commit that changed so many rows.
  ///
  /// None where SQLite changed others, by triggers and foreign keys for example, or a row was
  /// written several times, perhaps by another object.
  func current(changedRows: Int) -> [ObjectBase] {
    guard areKnown, objects.count == changedRows else { return [] }
    guard objects.count < 2 || Set(objects.map(\.row)).count == objects.count else { return [] }
    return objects.map(\.object)
  }
}

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
