import CStrataRuntime
import Dispatch
import StrataStorage
import Synchronization

/// The sessions of a store by place. `Realm()` inside of `write` is therefore in the same
/// transaction, and objects of two `Realm()` at one place belong to one realm.
final class SessionRegistry: Sendable {
  private final class Entry: Sendable {
    let session: SessionReference
    /// Checked because a later actor may get the same address.
    weak let actor: (any Actor)?

    init(_ session: Session, _ actor: (any Actor)?) {
      self.session = session.reference
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

  func known(at place: Place) -> Session? { entries.withLock { $0[place]?.session.object } }

  var places: [Place] {
    entries.withLock { $0 }.filter { $0.value.session.object != nil }.map(\.key)
  }

  /// Removes a session that is being deallocated, unless its place has a newer one. Compares
  /// references only: a strong reference taken under the lock could become the last one, and the
  /// session's `deinit` takes the lock.
  func remove(_ session: SessionReference, at place: Place) {
    entries.withLock { if $0[place]?.session === session { $0[place] = nil } }
  }
}

/// A weak reference to a session, which any thread may keep.
///
/// The language's own weak references move the count of an object's references into a table beside
/// the object. Counting takes several times as long then, and a loop counts a reference to its
/// session for each object: a quarter of its time.
final class SessionReference: Sendable {
  /// The address of the session, 0 before its beginning and after its end. While the lock is held,
  /// the session's memory isn't released.
  private let address = Mutex<UInt>(0)

  /// The session; nil from its deinitialization on.
  var object: Session? {
    let retained = address.withLock { strata_try_retain($0) ? $0 : 0 }
    return UnsafeRawPointer(bitPattern: retained).map {
      Unmanaged<Session>.fromOpaque($0).takeRetainedValue()
    }
  }

  /// Makes the reference of a new session lead to the session.
  func begin(_ session: Session) {
    let new = UInt(bitPattern: Unmanaged.passUnretained(session).toOpaque())
    address.withLock { $0 = new }
  }

  /// Called first in the session's deinitialization.
  func end() { address.withLock { $0 = 0 } }
}

extension WriteQueue {
  /// The session that writes at a place.
  func session(at place: @autoclosure () -> Place) -> Session? { user(at: place()) as? Session }
}

extension Store {
  /// The session of the caller, or of the actor that it is isolated to.
  ///
  /// Inside of a transaction, this is the writing session, also at another place. All tasks of an
  /// actor share the actor's session, which never belongs to a single task.
  func session(isolatedTo actor: (any Actor)? = nil) -> Session {
    if actor == nil, let writing = writer.queue.session(at: .current) { return writing }
    let place = Place.isolated(to: actor)
    if case .actor = place { return sessions.session(at: place, actor, in: self) }
    return sessions.session(at: place, nil, in: self)
  }
}

/// A reference of a realm to its session and its queue. The session counts its holders.
/// RealmSwift's realms keep their queue, too.
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

/// Callbacks from a session to its observations. The observations decide when the session moves to
/// a newer snapshot.
///
/// Its methods are called at the place of the session.
class SessionObserver: @unchecked Sendable {
  // guarded by: the place of the session, as all that classes of it have.

  /// Called before the session waits for other writers.
  func willBeginWrite() { mustOverride(self) }

  /// Called at the end of a commit that made a snapshot.
  func didCommit(_ number: UInt64) { mustOverride(self) }

  /// Called when a transaction was rolled back.
  func didCancel() { mustOverride(self) }

  /// Delivers pending commits, with or without autorefresh. Returns whether there were any.
  func deliverPending() -> Bool { mustOverride(self) }

  /// Whether a handler is running.
  var isDelivering: Bool { mustOverride(self) }

  /// Called before the session releases the state that it shows. Handlers that are due in this turn
  /// run first, while their positions are still valid.
  func willLetGo() { mustOverride(self) }

  /// Called when ``Session/refreshesByItself`` was set.
  func didSetAutorefresh() { mustOverride(self) }
}

/// The state of a session that any thread may use.
final class SessionUse: Sendable {
  /// The number of realms that show the session.
  let holders = Atomic<Int>(0)
  private let operations = Atomic<Int>(0)
  /// The closures that wait to write; nil before the first.
  let blocks = Mutex<WriteBlocks?>(nil)
  private let misused = Atomic<Bool>(false)

  /// Whether an asynchronous write has not ended.
  var isWritingAsynchronously: Bool { operations.load(ordering: .relaxed) > 0 }

  /// Records a read at another place. Returns whether it is the first.
  func recordMisuse() -> Bool { !misused.exchange(true, ordering: .relaxed) }

  func beginOperation() { operations.add(1, ordering: .relaxed) }

  func endOperations(_ count: Int = 1) { operations.subtract(count, ordering: .relaxed) }
}
