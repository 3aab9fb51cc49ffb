/// Callbacks from a session to its observations, which decide when it moves from snapshot to
/// snapshot.
///
/// Its methods are called at the place of the session.
class SessionObserver: @unchecked Sendable {
  // guarded by: the place of the session, as all that classes of it have.

  /// Called before the session waits for other writers.
  func willBeginWrite() { mustOverride(self) }

  /// Called at the end of a commit that made a snapshot.
  func didCommit(_ number: UInt64) { mustOverride(self) }

  /// Called when a transaction was taken back.
  func didCancel() { mustOverride(self) }

  /// Delivers what was committed, whether the session refreshes by itself or not; says whether
  /// there was anything.
  func deliverPending() -> Bool { mustOverride(self) }

  /// Whether a handler runs.
  var isDelivering: Bool { mustOverride(self) }

  /// Called before the program lets go of what the session shows: handlers that are still to be
  /// called in this turn hear of it first, while positions fit.
  func willLetGo() { mustOverride(self) }

  /// Called when ``Session/refreshesByItself`` was set.
  func didSetAutorefresh() { mustOverride(self) }
}
