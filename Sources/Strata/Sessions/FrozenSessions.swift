import StrataStorage
import Synchronization

/// The sessions of a store that show one state for good: one for each that is kept so,
/// shared by all callers that freeze it.
final class FrozenSessions: Sendable {
  /// By their snapshots, of which a state has one while it is used.
  private let entries = Mutex<[ObjectIdentifier: WeakReference<Session>]>([:])

  var count: Int { entries.withLock { $0.count } }

  /// - Parameter location: Where the program asks for it, as `activeVersions` shows it.
  func session(at snapshot: Snapshot, in store: Store, _ location: CodeLocation) -> Session {
    let key = ObjectIdentifier(snapshot)
    // Released outside of the lock, which the end of a session takes.
    let known = entries.withLock { $0[key]?.object }
    let session = known ?? made(at: snapshot, in: store, key)
    snapshot.uses.begin(ObjectIdentifier(session), isFrozen: true) { "frozen at \(location)" }
    return session
  }

  private func made(at snapshot: Snapshot, in store: Store, _ key: ObjectIdentifier) -> Session {
    let made = Session(store, frozenAt: snapshot)
    let entry = WeakReference(made)
    // Another thread may have been faster.
    let first = entries.withLock { entries -> WeakReference<Session> in
      if let known = entries[key], known.object != nil { return known }
      entries[key] = entry
      return entry
    }
    return first.object ?? made
  }

  /// Forgets the sessions that no code has any more.
  func removeReleased() {
    entries.withLock { entries in
      for (key, entry) in entries where entry.object == nil { entries[key] = nil }
    }
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
