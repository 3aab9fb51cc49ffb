import Dispatch
import StrataStorage
import Synchronization

/// The observation of one token or iterator: its source and its handler.
final class Observation: Sendable {
  let source: any ObservationSource
  /// The source's key, cached because building it can take as long as reading an object.
  let key: String
  /// Called on the observation's place, with the session there.
  typealias Handler = (SourceChange, Session) -> Void

  /// Whether the first state is delivered; otherwise only changes are.
  let hasInitial: Bool
  /// The handler; nil after the end, so that the observation keeps nothing open.
  private let handler: Mutex<PlaceBound<Handler>?>
  /// The states with which a comparing handler compares after silent transactions.
  let silentStates: PlaceBound<SilentStates?>
  /// The handler's queue, retained because the handler isn't called without it. An actor isn't
  /// retained, because it often owns the token.
  private let queue: DispatchQueue?
  /// The snapshot in which the source was seen, until the observation has begun.
  private let seen: Mutex<Snapshot?>
  private let active = Atomic<Bool>(true)
  private let registration = Mutex(Registration.none)

  /// Changed only on the queue of the observation center.
  let state = Mutex(ObservationState())

  /// Creates an observation.
  ///
  /// - Parameters:
  ///   - seen: The snapshot that the realm shows; nil for the newest one. An observation without
  ///     `initial` delivers the changes since this snapshot.
  ///   - states: The states with which a comparing handler compares after silent transactions.
  ///   - handler: Called on the observation's place, with the session there.
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
  /// - Parameter since: The snapshot with which the change begins.
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

  /// Ends the observation: no call of the handler begins afterwards. Returns false if the
  /// observation had already ended.
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

  /// Removes and returns the snapshot in which the source was seen.
  func takeSeen() -> Snapshot? {
    seen.withLock { seen in
      defer { seen = nil }
      return seen
    }
  }

  private enum Registration {
    case none, registered, removed
  }

  /// Registers the observation, unless it has already been removed.
  func register(_ body: () throws -> Void) rethrows {
    try registration.withLock { registration in
      guard registration == .none else { return }
      try body()
      registration = .registered
    }
  }

  /// Returns whether the observation has to be removed: true at most once. The observation can't be
  /// registered afterwards.
  func unregister() -> Bool {
    registration.withLock { registration in
      defer { registration = .removed }
      return registration == .registered
    }
  }
}
