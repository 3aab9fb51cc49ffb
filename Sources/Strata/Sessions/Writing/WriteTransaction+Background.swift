import GRDB
import StrataStorage

/// Writing many new objects on another thread.
extension WriteTransaction {
  /// Whether new objects of a table are written while the caller goes on.
  ///
  /// Not where that would run code of the program, and not while a closure has the connection,
  /// which the other thread would wait for.
  func insertsInBackground(_ table: Table) -> Bool {
    insertedRows >= BackgroundInserts.leastRows && BackgroundInserts.areOfUse
      && !isUsingConnection && table.info.row.mayBeReadElsewhere
  }

  func insertInBackground(_ objects: [ObjectBase], in table: Table) throws(RealmError) {
    let inserts = background ?? BackgroundInserts()
    background = inserts
    let (store, running) = (store, running)
    try inserts.add(
      objects,
      { objects throws(RealmError) in
        try Self.write(store, running) { db, _ in try table.insert(objects, db) }
      }, on: store.writeInBackground)
  }

  /// Waits until no other thread writes: before the connection is used, and before an object
  /// changes that may be on its way.
  func finishBackground() throws(RealmError) {
    guard let background, background.areRunning else { return }
    do {
      try background.finish()
    } catch {
      note(error)
      throw error
    }
  }

  func finishBackgroundNoting() {
    do {
      try finishBackground()
    } catch {
      // It is noted.
    }
  }
}
