import Dispatch
import StrataStorage

extension Session {
  /// Polls for commits of other processes, waits until all commits are processed, and moves to the
  /// newest snapshot.
  ///
  /// - Returns: Whether anything was new; false if the task is canceled.
  func refreshAwaiting(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(RealmError) -> Bool {
    guard canRefresh, !Task.isCancelled else { return false }
    let before = lastMoveOrCommit
    let found = await lookForCommits()
    guard canRefresh, !Task.isCancelled else { return false }
    // Before the error is thrown: delivers pending mail, with which observers get the same error.
    _ = currentObserver?.deliverPending()
    let isForeign = try found.get()
    try moveToNewest()
    return recordRefresh(since: before) || isForeign
  }

  private var canRefresh: Bool {
    transaction == nil && !view.isFrozen && currentObserver?.isDelivering != true
  }

  /// Polls on a thread that may block: reading waits for the disk, and finding the changes waits
  /// for statements.
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
