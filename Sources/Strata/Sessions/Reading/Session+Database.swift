import GRDB
import StrataStorage

extension Session {
  /// Gives a connection to code that knows SQL: that of the transaction, if there is one, or one
  /// that reads the committed state.
  ///
  /// - Throws: The error of the closure, or ``RealmError``.
  func withDatabase<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try checkPlace()
    guard let transaction else {
      if let snapshot = try snapshotToRead() { return try snapshot.read(body) }
      let connection = try store.readers.borrow()
      defer { store.readers.giveBack(connection) }
      return try connection.queue.read(body)
    }
    try transaction.flushAll()
    // The closure may write rows in any order, too.
    try transaction.deferForeignKeys()
    store.noteUseByOthers()
    let result = try transaction.write { db in
      let before = db.totalChangesCount
      let result = Result { try body(db) }
      if db.totalChangesCount != before {
        transaction.noteChangesOfOthers()
        store.noteUseByOthers()
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

  /// Gives the writing connection to a closure that starts an observation, when no session is in
  /// the middle of a transaction, whose changes it would take for committed ones.
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
      throw RealmError(.fail, ErrorText.replicaObservation, fileURL: store.file.url)
    }
    return try store.whileIdle(body)
  }
}
