import Synchronization

/// What one token, or one iterator, asks for.
///
/// Its state is used on the queue of the ``ObservationCenter`` only, its handler at its place only.
final class Observation: @unchecked Sendable {
  let source: any ObservationSource
  /// Whether the first state is delivered as such; otherwise only changes are.
  let hasInitial: Bool
  /// Nil when it has ended: then it keeps nothing open.
  private let handler: Mutex<Handler?>
  /// The queue of the handler.
  private let kept: AnyObject?
  private let active = Atomic<Bool>(true)
  private let registration = Mutex(Registration.none)

  /// What its place knows; nil before the first state was delivered.
  var delivered: Version?
  /// What is in the mail, which its place may have taken.
  var proposed: Version?
  /// What was committed after `delivered`.
  var pending = CommitChanges()

  /// The observed thing in one version.
  struct Version: Sendable {
    var number: UInt64
    var state: SourceState
  }

  /// - Parameter handler: Called at the place, with the session that is there.
  init(
    _ source: any ObservationSource, hasInitial: Bool, keeping kept: AnyObject? = nil,
    handler: @escaping (SourceChange, Session) -> Void
  ) {
    self.source = source
    self.hasInitial = hasInitial
    self.handler = Mutex(Handler(call: handler))
    self.kept = kept
  }

  /// Calls the handler, unless the observation has ended.
  func deliver(_ change: SourceChange, _ session: Session) {
    let handler = handler.withLock { $0 }
    switch change {
    case .deleted, .failed: guard end() else { return }
    case .initial, .elements, .entries, .properties, .touched: guard isActive else { return }
    }
    handler?.call(change, session)
  }

  var isActive: Bool { active.load(ordering: .acquiring) }

  /// Ends it: no handler begins afterwards. False when it had ended before.
  func end() -> Bool {
    let wasActive = active.exchange(false, ordering: .acquiringAndReleasing)
    let handler = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    withExtendedLifetime(handler) {}
    return wasActive
  }

  private struct Handler: @unchecked Sendable {
    let call: (SourceChange, Session) -> Void
  }

  private enum Registration {
    case none, registered, removed
  }

  /// Registers it, unless it has ended before.
  func register(_ body: () throws -> Void) rethrows {
    try registration.withLock { registration in
      guard registration == .none else { return }
      try body()
      registration = .registered
    }
  }

  /// Says whether it has to be removed, once; it can't be registered afterwards.
  func unregister() -> Bool {
    registration.withLock { registration in
      defer { registration = .removed }
      return registration == .registered
    }
  }

  /// Finds out whether its place has taken what was proposed.
  ///
  /// - Parameter waiting: The mail that its place has not taken.
  /// - Returns: Whether something is still to be delivered.
  func settle(_ waiting: Mail?) -> Bool {
    guard let proposed else { return false }
    self.proposed = nil
    if waiting?.news.contains(where: { $0.observation === self }) == true { return true }
    advance(to: proposed)
    return false
  }

  /// Takes a version for one that its place knows.
  func advance(to version: Version) {
    delivered = version
    pending = CommitChanges()
  }
}
