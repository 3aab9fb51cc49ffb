import Dispatch
import StrataStorage
import Synchronization

/// The sessions of a store by the places that they belong to: `Realm()` inside of `write` is in the
/// same transaction, and objects of two `Realm()` are objects of one realm.
final class SessionRegistry: Sendable {
  // A class, for the reason that `FrozenSessions.Entry` has.
  private final class Entry: Sendable {
    let session: WeakReference<Session>
    let identifier: ObjectIdentifier
    /// The address of an actor is used again.
    weak let actor: (any Actor)?

    init(_ session: Session, _ actor: (any Actor)?) {
      self.session = WeakReference(session)
      identifier = ObjectIdentifier(session)
      self.actor = actor
    }
  }

  private let entries = Mutex<[Place: Entry]>([:])

  var count: Int { entries.withLock { $0.count } }

  func session(at place: Place, _ actor: (any Actor)?, in store: Store) -> Session {
    if let entry = entries.withLock({ $0[place] }), let known = entry.session.object,
      entry.actor === actor
    {
      return known
    }
    let session = Session(store, at: place)
    let entry = Entry(session, actor)
    entries.withLock { $0[place] = entry }
    return session
  }

  /// The session of a place, if it has one.
  func known(at place: Place) -> Session? { entries.withLock { $0[place]?.session.object } }

  /// The places that have a session.
  var places: [Place] {
    entries.withLock { $0 }.filter { $0.value.session.object != nil }.map(\.key)
  }

  /// Forgets a session that ends, unless its place has another one. Only by its identity: a look at
  /// that one under the lock might be the last reference to it, and its end takes the lock.
  func remove(_ session: ObjectIdentifier, at place: Place) {
    entries.withLock { if $0[place]?.identifier == session { $0[place] = nil } }
  }
}

extension WriteQueue {
  /// The session that writes at a place.
  func session(at place: @autoclosure () -> Place) -> Session? { user(at: place()) as? Session }
}

extension Store {
  /// The session of the caller, or of the actor that it is isolated to.
  ///
  /// Inside of a transaction it is the writing session, also at another place; that of an actor is
  /// shared by its tasks, so that it is never that of one of them.
  func session(isolatedTo actor: (any Actor)? = nil) -> Session {
    if actor == nil, let writing = writeQueue.session(at: .current) { return writing }
    let place = Place.isolated(to: actor)
    if case .actor = place { return sessions.session(at: place, actor, in: self) }
    return sessions.session(at: place, nil, in: self)
  }
}

/// A realm's hold on its session, by which the session counts its realms, and on its queue, which
/// RealmSwift's realms keep, too.
final class SessionHolder {
  let session: Session
  private let queue: DispatchQueue?

  init(_ session: Session) {
    self.session = session
    queue = session.place.queue
    session.use.holders.add(1, ordering: .relaxed)
  }

  deinit { session.use.holders.subtract(1, ordering: .relaxed) }
}
