import StrataStorage

/// A queue of commits that wait to be processed. Merges commits, so that only the newest snapshot
/// is kept.
struct IncomingCommits: Sendable {
  private var waiting: [Merged] = []
  /// Whether the next commit must not be merged with the waiting ones.
  private var isSealed = false
  /// Whether a snapshot was missed. The next commit must be compared then.
  var isIncomplete = false

  /// Several commits merged into one.
  struct Merged: Sendable {
    var snapshot: Snapshot
    /// The recorded changes, in order; nil if the snapshots must be compared.
    var known: [Known]?
    var silenced: Set<ObjectIdentifier>

    /// Changes the value in place: a writer that is thousands of commits ahead waits for each call.
    fileprivate mutating func add(_ snapshot: Snapshot, _ newer: Known?) {
      self.snapshot = snapshot
      if let newer { known?.append(newer) } else { known = nil }
    }
  }

  struct Known: Sendable {
    var changes: RecordedChanges
    var details: CommitDetails
  }

  /// Adds a commit. Returns false if other commits were waiting already.
  mutating func add(_ commit: Commit) -> Bool {
    defer { isIncomplete = false }
    let known =
      isIncomplete ? nil : commit.changes.map { Known(changes: $0, details: commit.details) }
    let silenced = commit.details.silenced
    guard let last = waiting.indices.last else {
      append(commit, known)
      return true
    }
    // A silenced commit must not be merged with one that observations are notified of.
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

  /// Keeps later commits from being merged with the waiting ones.
  mutating func seal() { isSealed = true }

  /// Removes and returns the first waiting entry, if its snapshot isn't newer than `number`.
  mutating func next(through number: UInt64) -> Merged? {
    guard let first = waiting.first, first.snapshot.number <= number else { return nil }
    return waiting.removeFirst()
  }
}
