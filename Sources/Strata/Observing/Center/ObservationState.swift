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
