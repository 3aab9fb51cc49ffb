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

    /// In place: a writer that is ahead by thousands of commits waits for each.
    fileprivate mutating func add(_ snapshot: Snapshot, _ newer: Known?) {
      self.snapshot = snapshot
      if let newer { known?.append(newer) } else { known = nil }
    }
  }

  struct Known: Sendable {
    var changes: NotedChanges
    var details: CommitDetails
  }

  /// Adds a commit; false when others were waiting already.
  mutating func add(_ commit: Commit) -> Bool {
    defer { isIncomplete = false }
    let known =
      isIncomplete ? nil : commit.changes.map { Known(changes: $0, details: commit.details) }
    let silenced = commit.details.silenced
    guard let last = waiting.indices.last else {
      append(commit, known)
      return true
    }
    // What an observation shall not hear of must not become one with what it shall.
    if isSealed || !silenced.isEmpty || !waiting[last].silenced.isEmpty {
      append(commit, known)
    } else {
      waiting[last].add(commit.snapshot, known)
    }
    return false
  }

  private mutating func append(_ commit: Commit, _ known: Known?) {
    isSealed = false
    let silenced = commit.details.silenced
    waiting.append(
      Merged(snapshot: commit.snapshot, known: known.map { [$0] }, silenced: silenced))
  }

  /// Keeps what has come until now apart from what comes next.
  mutating func seal() { isSealed = true }

  /// The first that waits, up to a snapshot.
  mutating func next(through number: UInt64) -> Merged? {
    guard let first = waiting.first, first.snapshot.number <= number else { return nil }
    return waiting.removeFirst()
  }
}
