import Dispatch
import StrataStorage

extension Session {
  /// Looks for commits of other processes, waits until what was committed is known, and moves to
  /// the newest snapshot.
  ///
  /// - Returns: Whether there was anything new; false when the task is cancelled.
  /// - Throws: ``RealmError`` when the file can't be read.
  func refreshAwaiting(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(RealmError) -> Bool {
    guard canRefresh, !Task.isCancelled else { return false }
    let before = lastMoveOrCommit
    let found = await lookForCommits()
    guard canRefresh, !Task.isCancelled else { return false }
    // Also what tells observers of the same mistake.
    _ = currentObserver?.deliverPending()
    let isForeign = try found.get()
    try moveToNewest()
    return noteRefresh(since: before) || isForeign
  }

  private var canRefresh: Bool {
    transaction == nil && !view.isFrozen && currentObserver?.isDelivering != true
  }

  /// On a thread that may wait: reading waits for the disk, and knowing what changed for
  /// statements.
  private func lookForCommits(
    isolation: isolated (any Actor)? = #isolation
  ) async -> Result<Bool, RealmError> {
    let (store, center) = (store, notifier?.center)
    return await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        let found = Result { () throws(RealmError) in try store.refresh() }
        center?.finishPending()
        continuation.resume(returning: found)
      }
    }
  }
}
