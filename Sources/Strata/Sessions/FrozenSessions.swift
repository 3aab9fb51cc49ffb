import StrataStorage
import Synchronization

/// The sessions of a store that permanently show one snapshot: one session per snapshot, shared by
/// all callers that freeze it.
final class FrozenSessions: Sendable {
  /// The sessions by snapshot. A committed state has one snapshot object while it is used.
  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  // A class: in debug builds, Swift 6.3 takes a nil optional structure for a present one if the
  // structure has a weak reference beside another field.
  private final class Entry: Sendable {
    let session: WeakReference<Session>
    let identifier: ObjectIdentifier

    init(_ session: Session) {
      self.session = WeakReference(session)
      identifier = ObjectIdentifier(session)
    }
  }

  var count: Int { entries.withLock { $0.count } }

  /// - Parameter location: The freezing code, which `activeVersions` shows.
  func session(at snapshot: Snapshot, in store: Store, _ location: CodeLocation) -> Session {
    let key = ObjectIdentifier(snapshot)
    // Released outside of the lock, because the session's `deinit` takes the lock.
    let known = entries.withLock { $0[key]?.session.object }
    let session = known ?? made(at: snapshot, in: store, key)
    snapshot.uses.begin(ObjectIdentifier(session), isFrozen: true) { "frozen at \(location)" }
    return session
  }

  private func made(at snapshot: Snapshot, in store: Store, _ key: ObjectIdentifier) -> Session {
    let made = Session(store, frozenAt: snapshot)
    let entry = Entry(made)
    // Another thread may have been faster. Its session, too, is released outside of the lock.
    let first = entries.withLock { entries -> Session? in
      if let known = entries[key]?.session.object { return known }
      entries[key] = entry
      return nil
    }
    return first ?? made
  }

  /// Removes a session that is being deallocated. Compares identifiers only: a strong reference
  /// taken under the lock could become the last one, and the session's `deinit` takes the lock.
  func remove(_ session: ObjectIdentifier, of snapshot: Snapshot) {
    let key = ObjectIdentifier(snapshot)
    entries.withLock { if $0[key]?.identifier == session { $0[key] = nil } }
  }
}

extension Session {
  /// The session that permanently shows the current snapshot of this one; inside of a transaction,
  /// the state that was committed before.
  ///
  /// - Throws: ``RealmError`` when the file can't be read.
  func frozen(at location: CodeLocation) throws(RealmError) -> Session {
    guard !isShared else { return self }
    let snapshot: Snapshot
    if let kept = view.snapshot { snapshot = kept } else { snapshot = try newestSnapshot() }
    return store.frozenSessions.session(at: snapshot, in: store, location)
  }
}
