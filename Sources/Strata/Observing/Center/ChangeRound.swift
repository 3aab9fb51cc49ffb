import StrataStorage

/// The news of one version, for all observations. Equal ones share the work.
struct ChangeRound {
  private let snapshot: Snapshot
  private let changes: Result<CommitChanges, any Error>
  private let silenced: Set<ObjectIdentifier>
  private var known: [Key: (state: SourceState, change: SourceChange?)] = [:]

  private struct Key: Hashable {
    var source: String
    /// Nil for the first state.
    var since: UInt64?
  }

  init(
    _ snapshot: Snapshot, _ changes: Result<CommitChanges, any Error>,
    silenced: Set<ObjectIdentifier>
  ) {
    self.snapshot = snapshot
    self.changes = changes
    self.silenced = silenced
  }

  /// What an observation is to hear of this version; nil when nothing.
  ///
  /// - Parameter waiting: The mail that its place has not taken.
  mutating func news(for observation: Observation, _ waiting: Mail?) throws -> Mail.News? {
    let waits = waiting?.news.contains { $0.observation === observation } == true
    let isWaiting = observation.state.settle(waits: waits)
    observation.state.add(try changes.get())
    let key = Key(source: observation.source.key, since: observation.state.delivered?.number)
    let found = try known[key] ?? change(for: observation)
    known[key] = found
    // What was not delivered before must not be lost.
    let isSilenced = silenced.contains(ObjectIdentifier(observation)) && !isWaiting
    let change = isSilenced ? nil : found.change
    let version = ObservationState.Version(number: snapshot.version, state: found.state)
    observation.state.propose(version, isTold: change != nil)
    return change.map { Mail.News(observation: observation, change: $0) }
  }

  private func change(
    for observation: Observation
  ) throws -> (state: SourceState, change: SourceChange?) {
    try snapshot.read { db in
      guard let delivered = observation.state.delivered else {
        return (try observation.source.state(db), .initial)
      }
      return try observation.source.change(from: delivered.state, observation.state.pending, db)
    }
  }
}
