import GRDB
import StrataSchema
import StrataStorage

extension Session {
  /// Runs a query on the state that the session sees: its transaction's, or its view's.
  func query<Result>(_ body: (Database) throws -> Result) throws(RealmError) -> Result {
    reportPlace()
    guard let transaction, transaction.hasBegun else { return try read(body) }
    try transaction.flushAll()
    return try transaction.write(body)
  }

  /// Runs a closure with a prepared statement on the state that the session sees.
  func query<Result>(
    _ text: StatementText, _ body: (RawStatement) throws -> Result
  ) throws(RealmError) -> Result {
    reportPlace()
    guard let transaction, transaction.hasBegun else { return try read(text, body) }
    try transaction.flushAll()
    return try transaction.write(text, body)
  }

  /// Runs a query for code that can't throw. Reports an error and returns the fallback.
  func query<Result>(
    or fallback: @autoclosure () -> Result, _ body: (Database) throws -> Result
  ) -> Result {
    reporting(or: fallback()) { () throws(RealmError) in try query(body) }
  }

  /// Runs a prepared statement for code that can't throw. Reports an error and returns the
  /// fallback.
  func query<Result>(
    _ text: StatementText, or fallback: @autoclosure () -> Result,
    _ body: (RawStatement) throws -> Result
  ) -> Result {
    reporting(or: fallback()) { () throws(RealmError) in try query(text, body) }
  }

  private func reporting<Result>(
    or fallback: @autoclosure () -> Result, _ body: () throws(RealmError) -> Result
  ) -> Result {
    do throws(RealmError) {
      return try body()
    } catch {
      // A transaction throws its own errors at its end.
      if transaction?.error == nil { report(error) }
      return fallback()
    }
  }

  /// Finds the row with a primary key, selected with the table's columns; nil if it doesn't exist.
  func find<Result>(
    _ key: StoredValue, in table: Table, _ body: (RawStatement) -> Result
  ) throws(RealmError) -> Result? {
    guard let selectByKey = table.texts.selectByKey else { return nil }
    return try query(selectByKey) { statement in
      try statement.bindRaw(key, at: 1)
      return try statement.firstRow(body)
    }
  }

  func object(
    _ type: ObjectBase.Type, forPrimaryKey key: Any
  ) throws(RealmError) -> ObjectBase? {
    let reader = reader
    guard reader === self else { return try reader.object(type, forPrimaryKey: key) }
    guard let table = table(type) else {
      throw .notManaged(type)
    }
    guard let slot = table.primaryKeySlot else {
      throw RealmError(
        .fail, "Object type '\(type.className())' does not have a primary key defined.")
    }
    let property = table.info.properties[slot]
    guard let stored = property.usualStoredValue(key) ?? property.storedValue(unwrapped(key)) else {
      throw .invalidValue(unwrapped(key), for: property, of: table.info.className)
    }
    guard table.exists else { return nil }
    // A tracker must be notified when objects of the class are inserted or deleted.
    reads?.recordMembers(of: ObjectQuery(table), key: table.name)
    let stamp = clock.now
    return try find(stored, in: table) {
      table.makeObject(RowValues(of: $0.sqliteStatement), in: self, stamp: stamp)
    }
  }

  func object(row: Int64, in table: Table) throws(RealmError) -> ObjectBase? {
    let stamp = clock.now
    return try query(table.texts.selectByID) { try read(row, $0, in: table, stamp) }
  }

  /// The objects of the given rows, in that order, without rows that don't exist.
  func objects(
    _ rows: [Int64], in table: Table
  ) throws(RealmError) -> ContiguousArray<ObjectBase> {
    var objects = ContiguousArray<ObjectBase>()
    objects.reserveCapacity(rows.count)
    if let range = Self.range(of: rows) {
      try query(table.texts.selectRange) {
        // Set after pending changes are written and before they are read.
        let stamp = clock.now
        try readRange($0, rows, among: range, table, stamp, into: &objects)
      }
      return objects
    }
    try query { db in
      let stamp = clock.now
      let statement = try db.freeStatement(sql: table.texts.selectByID.sql)
      func readAll() throws {
        for row in rows {
          if let object = try read(row, RawStatement(statement.sqliteStatement), in: table, stamp) {
            objects.append(object)
          }
        }
      }
      if rows.count > 1 { try db.readingOneVersion(readAll) } else { try readAll() }
    }
    return objects
  }

  /// The first objects of a class whose identities are in a range.
  func objects(
    in table: Table, _ range: ClosedRange<Int64>, limit: Int
  ) throws(RealmError) -> ContiguousArray<ObjectBase> {
    let text = table.texts.selectSome
    return try query(text) { statement in
      try measuring(text.sql, rows: \.count) {
        let stamp = clock.now
        statement.bindRaw(range.lowerBound, at: 1)
        statement.bindRaw(range.upperBound, at: 2)
        statement.bindRaw(Int64(limit), at: 3)
        let row = RowValues(of: statement.sqliteStatement)
        var objects = ContiguousArray<ObjectBase>()
        objects.reserveCapacity(limit)
        while try statement.stepRaw() {
          objects.append(table.makeObject(row, in: self, stamp: stamp))
        }
        return objects
      }
    }
  }

  /// Reads the object of a row with the statement for one identity.
  private func read(
    _ row: Int64, _ statement: RawStatement, in table: Table, _ stamp: UInt64
  ) throws -> ObjectBase? {
    statement.bindRaw(row, at: 1)
    return try statement.firstRow {
      table.makeObject(RowValues(of: $0.sqliteStatement), in: self, stamp: stamp)
    }
  }

  /// The range that contains the rows, if they ascend and fill at least half of it.
  private static func range(of rows: [Int64]) -> ClosedRange<Int64>? {
    guard rows.count > 1, let first = rows.first, let last = rows.last, last < .max,
      zip(rows, rows.dropFirst()).allSatisfy({ $0 < $1 }),
      !last.subtractingReportingOverflow(first).overflow,
      last - first < Int64(rows.count) * 2
    else { return nil }
    return first...last
  }

  /// Reads rows that lie close together as one range. A lookup of each row takes four times as
  /// long.
  private func readRange(
    _ statement: RawStatement, _ rows: [Int64], among range: ClosedRange<Int64>, _ table: Table,
    _ stamp: UInt64, into objects: inout ContiguousArray<ObjectBase>
  ) throws {
    statement.bindRaw(range.lowerBound, at: 1)
    statement.bindRaw(range.upperBound, at: 2)
    let row = RowValues(of: statement.sqliteStatement)
    var found = try statement.stepRaw() ? statement.int64(0) : .max
    defer { statement.resetRaw() }
    for wanted in rows {
      while found < wanted { found = try statement.stepRaw() ? statement.int64(0) : .max }
      if found == wanted { objects.append(table.makeObject(row, in: self, stamp: stamp)) }
    }
  }
}

extension Session {
  /// Runs a closure with a GRDB connection: the transaction's, if there is one, or one that reads
  /// the committed state.
  func withDatabase<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try checkPlace()
    guard let transaction else {
      if let snapshot = try snapshotToRead() { return try snapshot.read(body) }
      let connection = try store.readers.borrow()
      defer { store.readers.giveBack(connection) }
      return try connection.queue.read(body)
    }
    try transaction.flushAll()
    // The closure, too, may write rows in any order.
    try transaction.deferForeignKeys()
    store.writer.recordUseByOthers()
    let result = try transaction.write { db in
      let before = db.totalChangesCount
      let result = Result { try body(db) }
      if db.totalChangesCount != before {
        transaction.recordChangesOfOthers()
        store.writer.recordUseByOthers()
      }
      guard db.isInsideTransaction else {
        throw RealmError(
          .fail,
          "The closure of 'withDatabase' has ended the transaction of 'write'. Don't begin "
            + "or end transactions in it.", fileURL: store.file.url)
      }
      return result
    }
    return try result.get()
  }

  /// Starts an observation with a closure that gets the writing connection. Fails inside of a
  /// transaction: the observation would take its changes for committed ones.
  func startObservation(
    _ body: (DatabaseQueue) -> AnyDatabaseCancellable
  ) throws(RealmError) -> AnyDatabaseCancellable {
    try checkPlace()
    guard !isShared else {
      throw RealmError(.fail, ErrorText.frozenNotifications, fileURL: store.file.url)
    }
    guard transaction == nil else {
      throw RealmError(
        .fail, "An observation can't be started inside of 'write'. Start it before or after.",
        fileURL: store.file.url)
    }
    guard store.replica == nil else {
      throw RealmError(
        .fail,
        "GRDB observes only changes by this process, and no process changes a replica. Use `observe` "
          + "or `changes()`.", fileURL: store.file.url)
    }
    return try store.writer.whileIdle(body)
  }
}

/// A page of the history as it was read, and the schema of the file at that moment.
struct HistoryPage {
  var entries: [HistoryEntry]
  var file: Schema
}

extension Session {
  /// The transactions of the history after a token, as far as the session sees them.
  func historyPage(after token: HistoryToken?, limit: Int) throws -> HistoryPage {
    try query { try store.historyPage($0, after: token, limit: limit) }
  }

  /// The transactions that a consumer of the history hasn't processed yet.
  func historyPage(for consumer: String, limit: Int) throws -> HistoryPage {
    try query { db in
      try store.historyPage(
        db, after: try HistoryConsumers.token(of: consumer, db), limit: limit)
    }
  }

  /// Changes the state of a consumer or of the retention, in a transaction that has begun.
  ///
  /// - Parameter token: The token to check before the change; nil to check nothing.
  func changeHistory(
    checking token: HistoryToken? = nil, _ body: (Database) throws -> Void
  ) throws {
    try query { db in
      let reader = try HistoryReader(db, at: store.file.url)
      if let token { try reader.check(token) }
      try body(db)
    }
  }
}

extension Store {
  /// Reads the transactions after a token on a connection.
  func historyPage(
    _ db: Database, after token: HistoryToken?, limit: Int
  ) throws -> HistoryPage {
    try db.readingOneVersion {
      let schema = try VersionTable.currentSchema(db, at: file.url) ?? Schema()
      let reader = try HistoryReader(db, schema, at: file.url)
      return HistoryPage(
        entries: try reader.entries(after: token, limit: limit), file: schema)
    }
  }
}
