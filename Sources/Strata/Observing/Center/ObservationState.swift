import StrataStorage
import Synchronization

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

/// The observations of one place, which are notified together.
final class ObservationGroup: Sendable {
  let mailbox: Mailbox
  /// Whether the place moves with each snapshot, and not only with changes.
  let followsSnapshots: Bool
  /// The number of tokens of observations and of the realm.
  let uses = Mutex(0)
  /// Changed only on the queue of the observation center.
  let observations = Mutex<[Observation]>([])
  /// The error after which no snapshot follows.
  private let failure = Mutex<RealmError?>(nil)

  init(_ mailbox: Mailbox, followsSnapshots: Bool) {
    self.mailbox = mailbox
    self.followsSnapshots = followsSnapshots
  }

  var isUsed: Bool { uses.withLock { $0 > 0 } }

  var error: RealmError? { failure.withLock { $0 } }

  /// Records the error after which no snapshot follows, and wakes the place once.
  func fail(_ error: RealmError) {
    let isFirst = failure.withLock { failure in
      defer { failure = error }
      return failure == nil
    }
    if isFirst { mailbox.wakePlace() }
  }
}

/// The states that silenced transactions left, for a handler that wasn't notified of them.
///
/// Some handlers remember the last state and compare the current one with it. After a silenced
/// transaction, they compare with the state that it left. Used on the handler's place.
final class SilentStates {
  /// A closure that reads what a session shows. It returns a closure that makes this state the
  /// handler's baseline.
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
