import StrataStorage

/// Hears what is read of a session, to tell its readers when it changes.
///
/// Its methods are called at the place of the session, those that note something before it is read.
class SessionReads {
  /// A property of an object; nil for whether there is the object.
  func note(_ object: ObjectBase, slot: _PropertySlot?, in table: Table) { mustOverride(self) }

  /// The elements of a collection.
  func note(_ collection: CollectionInfo, owner: Int64) { mustOverride(self) }

  /// Which objects a query finds, and in which order.
  func noteMembers(of query: ObjectQuery, key: @autoclosure () -> String) { mustOverride(self) }

  /// Values of objects of a class.
  func noteValues(in table: Table) { mustOverride(self) }

  /// More than can be told.
  func noteEverything() { mustOverride(self) }

  /// Called when the session has committed.
  ///
  /// - Parameter noted: The rows that were touched; nil when that isn't known.
  func didCommit(_ noted: NotedChanges?, _ details: CommitDetails, _ number: UInt64) {
    mustOverride(self)
  }

  /// Called when a transaction was taken back.
  func didCancel() { mustOverride(self) }

  /// Called when everything that was read is invalidated.
  func didInvalidate() { mustOverride(self) }
}

extension Session {
  /// The snapshot that is read, or on which a transaction goes on.
  var shownNumber: UInt64 { view.snapshot?.number ?? store.clock.now }
}
