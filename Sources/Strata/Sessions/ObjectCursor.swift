import GRDBSQLite
import StrataStorage

/// A cursor that makes the objects of a query, some at a time: memory does not grow with their
/// number.
///
/// Rows that were inserted since its beginning are skipped. Outside of a transaction it shows the
/// rows of one moment until a commit; all objects of a class then continue with the rows of the
/// next moment, instead of being read again one by one. Inside of a transaction it looks for the
/// next rows when it needs them. Where commits and changes decide which objects a query finds, the
/// rows that remain are listed before.
@usableFromInline
final class ObjectCursor {
  private enum Source {
    /// A statement that is being stepped.
    case statement(ReadStatement)
    /// The transaction's connection: rows after the last one seen, up to the greatest at the start.
    case keys(after: Int64, through: Int64)
    /// Rows that were found before: in another order than that of identities, or by a condition.
    case list(RowSequence, next: Int)
    case ended
  }

  private let session: Session
  private let query: ObjectQuery
  @exclusivity(unchecked) private var source: Source
  @exclusivity(unchecked) private var stamp: UInt64 = 0
  /// The greatest identity at the beginning, if objects are in the order of identities.
  @exclusivity(unchecked) private var through = Int64.max
  @exclusivity(unchecked) private var last = Int64.min
  private let batch: ObjectBatch
  @exclusivity(unchecked) private var position = 0
  /// Whether SQLite hands rows over, without a step for each; nil until the first batch tells.
  @exclusivity(unchecked) private var handsOver: Bool?

  init(_ query: ObjectQuery, _ session: Session) {
    self.query = query
    self.session = session
    batch = ObjectBatch(of: query.table, in: session)
    source = .ended
    guard query.table.exists else { return }
    do {
      source = try start()
    } catch {
      session.report(error)
    }
  }

  deinit { finish() }

  @usableFromInline
  func next() -> ObjectBase? {
    while true {
      while position < batch.count {
        let object = batch[position]
        position += 1
        // To use an object that this session has deleted would be a mistake.
        if session.clock.now != object._stamp, session.hasDeleted(object._rowID, in: query.table) {
          continue
        }
        return object
      }
      do {
        guard try fill() else { return nil }
      } catch {
        if session.transaction?.error == nil { session.report(error) }
        batch.startOver()
        finish()
        return nil
      }
    }
  }

  private func start() throws(RealmError) -> Source {
    let table = query.table
    if session.isInWriteTransaction {
      // Objects that the query ceases to find in the loop still come: the list is made first.
      guard query.isByIdentity, query.isWholeTable else {
        return .list(try session.rows(of: query), next: 0)
      }
      let greatest = try session.integers(
        query.aggregate("ifnull(max(t.\(table.identity)), \(Int64.min))"), query.parameters)
      return .keys(after: .min, through: greatest.first ?? .min)
    }
    // The time before reading: a commit in between makes an object look old, never new.
    stamp = session.clock.now
    return try translatingErrors(at: session.store.file.url) {
      let statement = try ReadStatement(session)
      if query.isByIdentity, statement.seesCommits {
        // Of the whole table: it is there at once, whatever the conditions are.
        through = try statement.integer(table.preparedQueries.greatest) ?? .min
      }
      try statement.begin(query.rows, query.parameters)
      return .statement(statement)
    }
  }

  /// Makes the next objects; false at the end.
  private func fill() throws(RealmError) -> Bool {
    let handsOver = handsOverNext
    batch.startOver()
    position = 0
    switch source {
    case .ended: return false
    case .statement(let statement):
      if let rows = try rest(of: statement) { return try read(rows, from: 0) }
      try step(statement, handingOver: handsOver)
    case .keys(let after, let through):
      self.handsOver = handsOver
      try nextKeys(after: after, through: through)
    case .list(let rows, let next): return try read(rows, from: next)
    }
    return batch.count > 0
  }

  /// Makes the next objects of a list, of those rows that are still there; false at its end.
  private func read(_ rows: RowSequence, from first: Int) throws(RealmError) -> Bool {
    for first in stride(from: first, to: rows.count, by: ObjectBatch.most) {
      let next = first + ObjectBatch.most
      _ = try session.read(rows[first..<next], in: query.table, into: batch)
      source = .list(rows, next: next)
      if batch.count > 0 { return true }
    }
    source = .ended
    return false
  }

  /// Whether SQLite is to hand over the rows of the next batch: those of a whole class, if the
  /// objects of the batch before can be used again.
  private var handsOverNext: Bool? {
    switch handsOver {
    case nil where batch.count == ObjectBatch.most: query.isUnchanged && batch.takesRows
    // A program that keeps the objects would pay for asking in vain.
    case true: batch.taken * 2 >= batch.count
    default: handsOver
    }
  }

  private func step(
    _ reading: ReadStatement, handingOver handsOver: Bool?
  ) throws(RealmError) {
    let goesOn = try translatingErrors(at: session.store.file.url) {
      try beginAgain(reading, handingOver: handsOver)
      return try reading.use { statement -> Bool in
        let row = RowValues(of: statement.sqliteStatement)
        while batch.count < ObjectBatch.most {
          guard try statement.stepRaw() else { return false }
          // It was inserted after the greatest identity was read, and before the first row was.
          if sqlite3_value_int64(row[0]) > through { return false }
          _ = batch.append(row, stamp: stamp)
        }
        return true
      }
    }
    if let row = batch.lastRow { last = row }
    reading.note(rows: batch.count)
    if goesOn != true { finish() }
  }

  /// The rows that remain, after a commit that may have changed which ones the query finds; nil
  /// where it goes on with its statement.
  private func rest(of reading: ReadStatement) throws(RealmError) -> RowSequence? {
    guard query.isByIdentity, !query.isWholeTable, last > .min, isOutdated(reading) else {
      return nil
    }
    let rows = try translatingErrors(at: session.store.file.url) {
      try reading.use { statement in
        let row = RowValues(of: statement.sqliteStatement)
        var rows = RowSequence()
        while try statement.stepRaw(), sqlite3_value_int64(row[0]) <= through {
          rows.append(sqlite3_value_int64(row[0]))
        }
        return rows
      }
    }
    // A loop that goes on for long leaves the WAL to the checkpointer.
    reading.end()
    return rows
  }

  /// The stamp of the last commit, for the rows of a statement that sees commits.
  ///
  /// A loop that goes on in a transaction reads what was committed before it: the time of the
  /// transaction would tell that its changes are in these rows.
  private var committed: UInt64 { session.transaction?.committedStamp ?? session.viewClock.now }

  private func isOutdated(_ reading: ReadStatement) -> Bool {
    reading.seesCommits && committed != stamp
  }

  /// Replaces the statement with one that sees the newest snapshot, after a commit, or with one
  /// that gives rows in another way.
  private func beginAgain(_ reading: ReadStatement, handingOver wanted: Bool?) throws {
    let now = committed
    let isOtherWay = (wanted == true) != (handsOver == true)
    handsOver = wanted
    guard query.isByIdentity, query.isWholeTable, last > .min,
      isOtherWay || isOutdated(reading)
    else { return }
    if reading.seesCommits { stamp = now }
    if wanted == true, let taken = query.table.texts.selectTaken {
      try reading.begin(taken, [.integer(last), .integer(through)]) {
        batch.receive(from: $0, at: 3, stamp: stamp)
      }
    } else {
      try reading.begin(query.rowsAfter, query.parameters + [.integer(last)])
    }
  }

  private func nextKeys(after: Int64, through: Int64) throws(RealmError) {
    let taken = handsOver == true ? query.table.texts.selectTaken : nil
    let text = taken ?? query.someRowsWithin
    try session.query(text) { statement in
      try session.measuring(text.sql, rows: { batch.count }) {
        let stamp = session.clock.now
        let most = Int64(ObjectBatch.most)
        try statement.bindRaw(
          query.parameters + [.integer(after), .integer(through)]
            + (taken == nil ? [.integer(most)] : []))
        if taken != nil { batch.receive(from: statement, at: 3, stamp: stamp) }
        let row = RowValues(of: statement.sqliteStatement)
        while batch.count < most, try statement.stepRaw() { _ = batch.append(row, stamp: stamp) }
        statement.resetRaw()
      }
    }
    if let row = batch.lastRow { last = row }
    source = batch.count > 0 ? .keys(after: last, through: through) : .ended
  }

  /// Ends reading, which lets the WAL be checkpointed.
  private func finish() {
    if case .statement(let statement) = source { statement.end() }
    source = .ended
  }
}
