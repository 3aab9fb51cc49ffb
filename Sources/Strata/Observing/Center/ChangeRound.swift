import StrataStorage
import Synchronization

/// The news of one snapshot, for all observations. Equal ones share the work.
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

  /// What an observation is to hear of this snapshot; nil when nothing.
  ///
  /// - Parameter waiting: The mail that its place has not taken.
  mutating func news(for observation: Observation, _ waiting: Mail?) throws -> Mail.News? {
    let waits = waiting?.news.contains { $0.observation === observation } == true
    let changes = try changes.get()
    let (isWaiting, state) = observation.state.withLock { state in
      let isWaiting = state.settle(waits: waits)
      state.add(changes)
      return (isWaiting, state)
    }
    let key = Key(source: observation.key, since: state.delivered?.number)
    let found = try known[key] ?? change(for: observation.source, state)
    known[key] = found
    // What was not delivered before must not be lost.
    let isSilenced = silenced.contains(ObjectIdentifier(observation)) && !isWaiting
    let change = isSilenced ? nil : found.change
    let observed = ObservationState.Observed(number: snapshot.number, state: found.state)
    observation.state.withLock { $0.propose(observed, isTold: change != nil) }
    return change.map {
      Mail.News(observation: observation, change: $0, since: state.delivered?.number)
    }
  }

  private func change(
    for source: any ObservationSource, _ state: ObservationState
  ) throws -> (state: SourceState, change: SourceChange?) {
    try snapshot.read { db in
      guard let delivered = state.delivered else { return (try source.state(db), .initial) }
      return try source.change(from: delivered.state, state.pending, db)
    }
  }
}
