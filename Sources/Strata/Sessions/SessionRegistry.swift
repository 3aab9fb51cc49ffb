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
    if actor == nil, let writing = writer.queue.session(at: .current) { return writing }
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

/// Callbacks from a session to its observations, which decide when it moves from snapshot to
/// snapshot.
///
/// Its methods are called at the place of the session.
class SessionObserver: @unchecked Sendable {
  // guarded by: the place of the session, as all that classes of it have.

  /// Called before the session waits for other writers.
  func willBeginWrite() { mustOverride(self) }

  /// Called at the end of a commit that made a snapshot.
  func didCommit(_ number: UInt64) { mustOverride(self) }

  /// Called when a transaction was taken back.
  func didCancel() { mustOverride(self) }

  /// Delivers what was committed, whether the session refreshes by itself or not; says whether
  /// there was anything.
  func deliverPending() -> Bool { mustOverride(self) }

  /// Whether a handler runs.
  var isDelivering: Bool { mustOverride(self) }

  /// Called before the program lets go of what the session shows: handlers that are still to be
  /// called in this turn hear of it first, while positions fit.
  func willLetGo() { mustOverride(self) }

  /// Called when ``Session/refreshesByItself`` was set.
  func didSetAutorefresh() { mustOverride(self) }
}

/// A use of a session beside the code at its place.
final class SessionUse: Sendable {
  /// How many realms show it.
  let holders = Atomic<Int>(0)
  private let operations = Atomic<Int>(0)
  /// The blocks that wait to write; nil while there were none.
  let blocks = Mutex<WriteBlocks?>(nil)
  private let misused = Atomic<Bool>(false)

  /// Whether an asynchronous write of it has not ended.
  var isWritingAsynchronously: Bool { operations.load(ordering: .relaxed) > 0 }

  /// Notes that another place reads; whether it is the first time.
  func noteMisuse() -> Bool { !misused.exchange(true, ordering: .relaxed) }

  func beginOperation() { operations.add(1, ordering: .relaxed) }

  func endOperations(_ count: Int = 1) { operations.subtract(count, ordering: .relaxed) }
}
