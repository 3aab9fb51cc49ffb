import Synchronization

/// The request of one token, or of one iterator: what it observes, and what hears of it.
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

  // guarded by: the queue of the observation center.
  var state = ObservationState()

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
}
