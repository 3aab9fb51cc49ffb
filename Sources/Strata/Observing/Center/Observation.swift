import Dispatch
import StrataStorage
import Synchronization

/// The request of one token, or of one iterator: what it observes, and what hears of it.
final class Observation: Sendable {
  let source: any ObservationSource
  /// That of the source, which may take as long to put together as to read an object.
  let key: String
  /// Called at the place, with the session that is there.
  typealias Handler = (SourceChange, Session) -> Void

  /// Whether the first state is delivered as such; otherwise only changes are.
  let hasInitial: Bool
  /// Nil when it has ended: then it keeps nothing open.
  private let handler: Mutex<PlaceBound<Handler>?>
  /// What a handler that compares is to compare with after silent transactions.
  let silentStates: PlaceBound<SilentStates?>
  /// The queue of the handler, without which it wouldn't be called. An actor isn't kept: it often
  /// has the token.
  private let queue: DispatchQueue?
  /// The snapshot that the observed was seen in, until the observation has begun.
  private let seen: Mutex<Snapshot?>
  private let active = Atomic<Bool>(true)
  private let registration = Mutex(Registration.none)

  /// Changed on the queue of the observation center only.
  let state = Mutex(ObservationState())

  /// - Parameters:
  ///   - seen: The snapshot that its realm shows; nil for the newest one. Where only changes are
  ///     told, they are those since then.
  ///   - states: What the handler compares with after silent transactions, if it does.
  ///   - handler: Called at the place, with the session that is there.
  init(
    _ source: any ObservationSource, hasInitial: Bool, seen: Snapshot? = nil,
    keeping queue: DispatchQueue? = nil, comparingWith states: SilentStates? = nil,
    handler: @escaping Handler
  ) {
    self.source = source
    key = source.key
    self.hasInitial = hasInitial
    self.seen = Mutex(hasInitial ? nil : seen)
    self.handler = Mutex(PlaceBound(handler))
    self.queue = queue
    silentStates = PlaceBound(states)
  }

  /// Calls the handler, unless the observation has ended.
  ///
  /// - Parameter since: The snapshot that the change begins with.
  func deliver(_ change: SourceChange, since: UInt64? = nil, _ session: Session) {
    let handler = handler.withLock { $0 }
    switch change {
    case .deleted, .failed: guard end() else { return }
    case .initial, .elements, .entries, .properties, .touched: guard isActive else { return }
    }
    silentStates.value?.resume(at: since)
    handler?.value(change, session)
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
    _ = takeSeen()
    return wasActive
  }

  /// The snapshot that the observed was seen in, once.
  func takeSeen() -> Snapshot? {
    seen.withLock { seen in
      defer { seen = nil }
      return seen
    }
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
