import StrataStorage
import Synchronization

/// The changes of one snapshot, for all observations. Observations of the same source share the
/// work.
struct ChangeRound {
  private let snapshot: Snapshot
  private let changes: Result<CommitChanges, any Error>
  private let silenced: Set<ObjectIdentifier>
  private var known: [Key: (state: SourceState, change: SourceChange?)] = [:]

  private struct Key: Hashable {
    var source: String
    /// The snapshot of the last delivered state; nil before the first state.
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

  /// Returns the change to deliver to an observation for this snapshot, or nil.
  ///
  /// - Parameter waiting: The mail that the observation's place has not taken yet.
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
    // A silenced commit must not drop earlier changes that were not delivered.
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
