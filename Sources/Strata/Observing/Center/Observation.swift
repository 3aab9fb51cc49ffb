import Dispatch
import StrataStorage
import Synchronization

/// The observation of one token or iterator: its source and its handler.
final class Observation: Sendable {
  let source: any ObservationSource
  /// The source's key, cached because building it can take as long as reading an object. Keys are
  /// compared by their bytes: conditions on texts that look alike are two sources.
  let key: StoredText
  /// Called on the observation's place, with the session there.
  typealias Handler = (SourceChange, Session) -> Void

  /// Whether the first state is delivered; otherwise only changes are.
  let hasInitial: Bool
  /// The handler; nil after the end, so that the observation keeps nothing open.
  private let handler: Mutex<PlaceBound<Handler>?>
  /// The states with which a comparing handler compares after silent transactions.
  let silentStates: PlaceBound<SilentStates?>
  /// The handler's queue, retained because the handler isn't called without it. An actor isn't
  /// retained, because it often owns the token.
  private let queue: DispatchQueue?
  /// The snapshot in which the source was seen, until the observation has begun.
  private let seen: Mutex<Snapshot?>
  private let active = Atomic<Bool>(true)
  private let registration = Mutex(Registration.none)

  /// Changed only on the queue of the observation center.
  let state = Mutex(ObservationState())

  /// Creates an observation.
  ///
  /// - Parameters:
  ///   - seen: The snapshot that the realm shows; nil for the newest one. An observation without
  ///     `initial` delivers the changes since this snapshot.
  ///   - states: The states with which a comparing handler compares after silent transactions.
  ///   - handler: Called on the observation's place, with the session there.
  init(
    _ source: any ObservationSource, hasInitial: Bool, seen: Snapshot? = nil,
    keeping queue: DispatchQueue? = nil, comparingWith states: SilentStates? = nil,
    handler: @escaping Handler
  ) {
    self.source = source
    key = StoredText(source.key)
    self.hasInitial = hasInitial
    self.seen = Mutex(hasInitial ? nil : seen)
    self.handler = Mutex(PlaceBound(handler))
    self.queue = queue
    silentStates = PlaceBound(states)
  }

  /// Calls the handler, unless the observation has ended.
  ///
  /// - Parameter since: The snapshot with which the change begins.
  func deliver(_ change: SourceChange, since: UInt64? = nil, _ session: Session) {
    let handler = handler.withLock { $0 }
    switch change {
    case .deleted, .failed: guard end() else { return }
    case .initial, .elements, .entries, .properties, .touched: guard isActive else { return }
    }
    silentStates.value?.resume(at: since)
    handler?.value(change, session)
  }

  var isActive: Bool { active.load(ordering: .acquiring) }

  /// Ends the observation: no call of the handler begins afterwards. Returns false if the
  /// observation had already ended.
  func end() -> Bool {
    let wasActive = active.exchange(false, ordering: .acquiringAndReleasing)
    let handler = handler.withLock { $0.take() }
    withExtendedLifetime(handler) {}
    _ = takeSeen()
    return wasActive
  }

  /// Removes and returns the snapshot in which the source was seen.
  func takeSeen() -> Snapshot? { seen.withLock { $0.take() } }

  private enum Registration {
    case none, registered, removed
  }

  /// Registers the observation, unless it has already been removed.
  func register(_ body: () throws -> Void) rethrows {
    try registration.withLock { registration in
      guard registration == .none else { return }
      try body()
      registration = .registered
    }
  }

  /// Returns whether the observation has to be removed: true at most once. The observation can't be
  /// registered afterwards.
  func unregister() -> Bool {
    registration.withLock { registration in
      defer { registration = .removed }
      return registration == .registered
    }
  }
}

/// The progress of an observation, as a value: the state that its place knows, the state in the
/// mail, and the changes since then.
///
/// | event | delivered | proposed | pending changes |
/// |---|---|---|---|
/// | begins with an initial state | nothing | the first snapshot | none |
/// | begins with changes only | the snapshot that its realm shows | nothing | none |
/// | the place has taken the mail | the previous `proposed` | nothing | none |
/// | a relevant commit | as before | the new snapshot | as before, and the commit's |
/// | an irrelevant or silenced commit | the new snapshot | nothing | none |
/// | a silenced commit, mail waiting | as before | the new snapshot | as before, and the commit's |
struct ObservationState: Sendable {
  /// The last state that the place knows; nil before the first one is delivered.
  private(set) var delivered: Observed?
  /// The state in the mail, which the place may have taken.
  private(set) var proposed: Observed?
  /// The changes of all commits after `delivered`.
  private(set) var pending = CommitChanges()

  /// The state of the source in one snapshot.
  struct Observed: Sendable {
    var number: UInt64
    var state: SourceState
  }

  /// Begins with the newest snapshot.
  ///
  /// - Parameter isTold: Whether this state is delivered as the first one.
  mutating func begin(at observed: Observed, isTold: Bool) {
    if isTold { proposed = observed } else { delivered = observed }
  }

  /// Finds out at the next commit whether the place has taken its mail.
  ///
  /// - Parameter waits: Whether the mail still has a change for the observation.
  /// - Returns: Whether a change is still to be delivered.
  mutating func settle(waits: Bool) -> Bool {
    guard let proposed else { return false }
    self.proposed = nil
    guard !waits else { return true }
    advance(to: proposed)
    return false
  }

  /// Returns the state in a snapshot, if known.
  func state(in snapshot: UInt64) -> SourceState? {
    for case let observed? in [proposed, delivered] where observed.number == snapshot {
      return observed.state
    }
    return nil
  }

  mutating func add(_ changes: CommitChanges) { pending.add(changes) }

  /// Records the state in a new snapshot.
  ///
  /// - Parameter isTold: Whether the state differs from `delivered`, and the observation is to be
  ///   notified.
  mutating func propose(_ observed: Observed, isTold: Bool) {
    if isTold { proposed = observed } else { advance(to: observed) }
  }

  private mutating func advance(to observed: Observed) {
    delivered = observed
    pending = CommitChanges()
  }
}

/// The states that silenced transactions left, for a handler that wasn't notified of them.
///
/// Some handlers remember the last state and compare the current one with it. After a silenced
/// transaction, they compare with the state that it left. Used on the handler's place.
final class SilentStates {
  /// A closure that reads the state that a session shows, and returns a closure that makes this
  /// state the handler's baseline.
  typealias Reading = (Session) -> () -> Void

  private let reading: Reading
  private var states: [(number: UInt64, resume: () -> Void)] = []

  init(_ reading: @escaping Reading) {
    self.reading = reading
  }

  /// Reads the state that a transaction is about to commit.
  func read(_ session: Session) -> () -> Void { reading(session) }

  /// Records the state that a silenced commit left.
  ///
  /// - Parameter delivered: The snapshot with which changes begin now; nil before the first one.
  ///   All states before the last one up to this snapshot are dropped.
  func add(_ resume: @escaping () -> Void, at number: UInt64, delivered: UInt64?) {
    if let last = states.lastIndex(where: { $0.number <= delivered ?? 0 }) {
      states.removeFirst(last)
    }
    states.append((number, resume))
  }

  /// Sets the baseline for the handler's next comparison.
  ///
  /// - Parameter number: The snapshot with which the next change begins; nil for the first call.
  func resume(at number: UInt64?) {
    states.last { $0.number <= number ?? 0 }?.resume()
    states = []
  }
}
