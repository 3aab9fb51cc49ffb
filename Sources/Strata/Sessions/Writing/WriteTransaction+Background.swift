import GRDB
import StrataStorage

/// Writing many new objects on another thread.
extension WriteTransaction {
  /// Whether new objects of a table may be written while the caller goes on.
  ///
  /// Not where that would run code of the program, and not while a closure has the connection,
  /// which the other thread would wait for.
  func mayInsertInBackground(_ changes: ChangedTable) -> Bool {
    changes.inserted.count >= BackgroundInserts.leastRows && BackgroundInserts.areOfUse
      && !isUsingConnection && changes.table.info.row.mayBeReadElsewhere
  }

  func insertInBackground(_ objects: [ObjectBase], in table: Table) throws(RealmError) {
    let background = background ?? BackgroundInserts()
    self.background = background
    let (store, running) = (store, running)
    try background.add(
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
