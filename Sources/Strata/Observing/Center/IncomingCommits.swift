import StrataStorage

/// Commits that wait to be looked at. Many become one, so that only the newest snapshot is kept.
struct IncomingCommits: Sendable {
  private var waiting: [Merged] = []
  /// Whether the next commit must not become one with those that wait.
  private var isSealed = false
  /// Whether a snapshot is missing: what comes next must be compared.
  var isIncomplete = false

  /// Several snapshots as one.
  struct Merged: Sendable {
    var snapshot: Snapshot
    /// What is known of the changes, in order; nil when only comparing can tell.
    var known: [Known]?
    var silenced: Set<ObjectIdentifier>
  }

  struct Known: Sendable {
    var changes: NotedChanges
    var details: CommitDetails
  }

  /// Adds a commit; false when others were waiting already.
  mutating func add(_ commit: Commit) -> Bool {
    defer { isIncomplete = false }
    let known =
      isIncomplete ? nil : commit.changes.map { [Known(changes: $0, details: commit.details)] }
    let silenced = commit.details.silenced
    let isFirst = waiting.isEmpty
    // What an observation shall not hear of must not become one with what it shall.
    guard let last = waiting.last, !isSealed, silenced.isEmpty, last.silenced.isEmpty else {
      isSealed = false
      waiting.append(Merged(snapshot: commit.snapshot, known: known, silenced: silenced))
      return isFirst
    }
    waiting[waiting.count - 1].snapshot = commit.snapshot
    waiting[waiting.count - 1].known = last.known.flatMap { old in known.map { old + $0 } }
    return isFirst
  }

  /// Keeps what has come until now apart from what comes next.
  mutating func seal() { isSealed = true }

  /// The first that waits, up to a snapshot.
  mutating func next(through number: UInt64) -> Merged? {
    guard let first = waiting.first, first.snapshot.number <= number else { return nil }
    return waiting.removeFirst()
  }
}
