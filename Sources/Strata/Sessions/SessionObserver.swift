/// What a session tells its observations, which decide when it moves from version to version.
///
/// Its methods are called at the place of the session.
class SessionObserver: @unchecked Sendable {
  /// Called before the session waits for other writers.
  func willBeginWrite() {}

  /// Called at the end of a commit that made a version.
  func didCommit(_ version: UInt64) {}

  /// Called when a transaction was taken back.
  func didCancel() {}

  /// Delivers what was committed, whether the session refreshes by itself or not; says whether
  /// there was anything.
  func deliverPending() -> Bool { false }

  /// Whether a handler runs.
  var isDelivering: Bool { false }

  /// Called when ``Session/refreshesByItself`` was set.
  func didSetAutorefresh() {}
}
