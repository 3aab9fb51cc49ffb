import StrataStorage
import Synchronization

/// The sessions of a store that show one state for good: one for each that is kept so,
/// shared by all callers that freeze it.
final class FrozenSessions: Sendable {
  /// By their snapshots, of which a state has one while it is used.
  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  // A class: debug builds of Swift 6.3 take an optional structure that has a weak reference beside
  // something else for one that is there.
  private final class Entry: Sendable {
    let session: WeakReference<Session>
    let identifier: ObjectIdentifier

    init(_ session: Session) {
      self.session = WeakReference(session)
      identifier = ObjectIdentifier(session)
    }
  }

  var count: Int { entries.withLock { $0.count } }

  /// - Parameter location: Where the program asks for it, as `activeVersions` shows it.
  func session(at snapshot: Snapshot, in store: Store, _ location: CodeLocation) -> Session {
    let key = ObjectIdentifier(snapshot)
    // Released outside of the lock, which the end of a session takes.
    let known = entries.withLock { $0[key]?.session.object }
    let session = known ?? made(at: snapshot, in: store, key)
    snapshot.uses.begin(ObjectIdentifier(session), isFrozen: true) { "frozen at \(location)" }
    return session
  }

  private func made(at snapshot: Snapshot, in store: Store, _ key: ObjectIdentifier) -> Session {
    let made = Session(store, frozenAt: snapshot)
    let entry = Entry(made)
    // Another thread may have been faster. Its session is released outside of the lock as well.
    let first = entries.withLock { entries -> Session? in
      if let known = entries[key]?.session.object { return known }
      entries[key] = entry
      return nil
    }
    return first ?? made
  }

  /// Forgets a session that ends. Only by its identity: a look at any session under the lock might
  /// be the last reference to it, and its end takes the lock.
  func remove(_ session: ObjectIdentifier, of snapshot: Snapshot) {
    let key = ObjectIdentifier(snapshot)
    entries.withLock { if $0[key]?.identifier == session { $0[key] = nil } }
  }
}

extension Session {
  /// The session that shows for good what this one shows now: inside of a transaction what was
  /// committed before it.
  ///
  /// - Throws: ``RealmError`` when the file can't be read.
  func frozen(at location: CodeLocation) throws(RealmError) -> Session {
    guard !isShared else { return self }
    let snapshot: Snapshot
    if let kept = view.snapshot { snapshot = kept } else { snapshot = try newestSnapshot() }
    return store.frozenSessions.session(at: snapshot, in: store, location)
  }
}
