import StrataStorage
import Synchronization

/// The knowledge of an observation, as a value: what its place knows, what is on the way, and what
/// came after.
///
/// | event | delivered | proposed | pending changes |
/// |---|---|---|---|
/// | it begins, and its first state is told | nothing | the first snapshot | none |
/// | it begins, and only changes are told | the snapshot that its realm shows | nothing | none |
/// | its place has taken the mail | what was proposed | nothing | none |
/// | a commit that matters | as before | the new snapshot | as before, and the commit's |
/// | a commit that doesn't matter, or one that is silenced for it | the new snapshot | nothing | none |
/// | the same while mail waits, and the commit is silenced | as before | the new snapshot | as before, and the commit's |
struct ObservationState: Sendable {
  /// The last state that its place knows; nil before the first one was delivered.
  private(set) var delivered: Observed?
  /// The state that is in the mail, which its place may have taken.
  private(set) var proposed: Observed?
  /// The changes of all commits after `delivered`.
  private(set) var pending = CommitChanges()

  /// The observed thing in one snapshot.
  struct Observed: Sendable {
    var number: UInt64
    var state: SourceState
  }

  /// Begins with the newest snapshot.
  ///
  /// - Parameter isTold: Whether this state is told as the first one.
  mutating func begin(at observed: Observed, isTold: Bool) {
    if isTold { proposed = observed } else { delivered = observed }
  }

  /// Learns at the next commit whether the place has taken its mail.
  ///
  /// - Parameter waits: Whether the mail still has a change for the observation.
  /// - Returns: Whether something is still to be delivered.
  mutating func settle(waits: Bool) -> Bool {
    guard let proposed else { return false }
    self.proposed = nil
    guard !waits else { return true }
    advance(to: proposed)
    return false
  }

  /// The state in a snapshot, where it is known.
  func state(in snapshot: UInt64) -> SourceState? {
    for case let observed? in [proposed, delivered] where observed.number == snapshot {
      return observed.state
    }
    return nil
  }

  mutating func add(_ changes: CommitChanges) { pending.add(changes) }

  /// Compares with a new snapshot.
  ///
  /// - Parameter isTold: Whether something differs from `delivered`, and the observation is to hear
  ///   of it.
  mutating func propose(_ observed: Observed, isTold: Bool) {
    if isTold { proposed = observed } else { advance(to: observed) }
  }

  private mutating func advance(to observed: Observed) {
    delivered = observed
    pending = CommitChanges()
  }
}

/// The observations of one place, which it hears of together.
final class ObservationGroup: Sendable {
  let mailbox: Mailbox
  /// Whether the place moves with each snapshot, not only with news.
  let followsSnapshots: Bool
  /// How many tokens there are: of observations, and of the realm.
  let uses = Mutex(0)
  /// Changed on the queue of the observation center only.
  let observations = Mutex<[Observation]>([])
  /// The reason why no snapshot will come any more.
  private let failure = Mutex<RealmError?>(nil)

  init(_ mailbox: Mailbox, followsSnapshots: Bool) {
    self.mailbox = mailbox
    self.followsSnapshots = followsSnapshots
  }

  var isUsed: Bool { uses.withLock { $0 > 0 } }

  var error: RealmError? { failure.withLock { $0 } }

  /// Remembers why no snapshot will come any more, and tells the place once.
  func fail(_ error: RealmError) {
    let isFirst = failure.withLock { failure in
      defer { failure = error }
      return failure == nil
    }
    if isFirst { mailbox.wakePlace() }
  }
}

/// The states that a handler was not told of, since a transaction was silenced for it.
///
/// For handlers that remember what they were told of, and compare what is there with that: after a
/// silent transaction they compare with what it left. Used at the place of the handler.
final class SilentStates {
  /// Reads what a session shows, and returns what has the handler compare with that.
  typealias Reading = (Session) -> () -> Void

  private let reading: Reading
  private var states: [(number: UInt64, resume: () -> Void)] = []

  init(_ reading: @escaping Reading) {
    self.reading = reading
  }

  /// What a transaction that is about to be committed leaves.
  func read(_ session: Session) -> () -> Void { reading(session) }

  /// Notes what a silent commit left.
  ///
  /// - Parameter delivered: The snapshot that changes begin with now; nil before the first one. No
  ///   state is needed any more that is older than the last one before it.
  func add(_ resume: @escaping () -> Void, at number: UInt64, delivered: UInt64?) {
    if let last = states.lastIndex(where: { $0.number <= delivered ?? 0 }) {
      states.removeFirst(last)
    }
    states.append((number, resume))
  }

  /// Has the handler compare with the state with which a change begins that it is about to hear of.
  ///
  /// - Parameter number: The snapshot of that state; nil for the first call.
  func resume(at number: UInt64?) {
    states.last { $0.number <= number ?? 0 }?.resume()
    states = []
  }
}
