import IssueReporting
import Logging
import StrataStorage
import Synchronization

/// The observations of a session. Delivers changes, and moves the session along with them.
///
/// Used at the session's place, except for ``add(_:)`` and members that say otherwise.
final class SessionNotifier: SessionObserver, @unchecked Sendable {
  // guarded by: the place of the session, as all that is variable.
  unowned let session: Session
  let center: ObservationCenter
  let mailbox: Mailbox
  private let wakeUp: WakeUp
  private let known = Mutex<[ObjectIdentifier: Observation]>([:])
  private var realmHandlers: [RealmHandler] = []
  private var isInTurn = false
  private var isCallingHandlers = false
  /// The changes of the shown snapshot that are still to be delivered in this turn.
  private var unheard: ArraySlice<Mail.News> = []
  /// The last snapshot that the realm's handlers received.
  private var announced: UInt64 = 0
  /// The last snapshot for which the realm's handlers received `refreshRequired`.
  private var required: UInt64 = 0
  private var hasAdvised = false
  /// The realm's handlers that are silenced for the current transaction.
  private var silencedHandlers: Set<ObjectIdentifier> = []
  /// The comparing observations that are silenced for the current transaction, with the state that
  /// the transaction leaves.
  private var silencedStates: [(observation: Observation, resume: () -> Void)] = []
  private var afterEnd: [() -> Void] = []

  enum RealmEvent {
    case didChange
    case refreshRequired
  }

  /// A handler that is called for each snapshot.
  final class RealmHandler {
    let call: (RealmEvent) -> Void
    let isActive = Atomic<Bool>(true)

    init(_ call: @escaping (RealmEvent) -> Void) {
      self.call = call
    }
  }

  /// The number of rounds of delivery after which a waiting transaction begins in any case.
  private static let maxRounds = 3

  private init(_ session: Session) {
    self.session = session
    center = session.store.observationCenter
    // A weak reference, because the session retains its observer, and each observation the session.
    let reference = session.reference
    let wakeUp = WakeUp(session.place) { reference.takeTurn() }
    self.wakeUp = wakeUp
    mailbox = Mailbox(followsSnapshots: true) { wakeUp.send() }
  }

  /// Returns the notifier of a session, which may belong to another place.
  static func of(_ session: Session) -> SessionNotifier {
    session.observer.withLock { observer in
      if let known = observer as? SessionNotifier { return known }
      let made = SessionNotifier(session)
      observer = made
      return made
    }
  }

  // MARK: Adding and removing, on any thread

  func add(_ observation: Observation) throws {
    try session.store.lookBeforeObserving()
    try center.add(observation, to: mailbox)
    known.withLock { $0[ObjectIdentifier(observation)] = observation }
  }

  func remove(_ observation: Observation) {
    known.withLock { $0[ObjectIdentifier(observation)] = nil }
    center.remove(observation, from: mailbox)
    wakeUp.send()
  }

  // MARK: Handlers of the realm

  func add(_ handler: RealmHandler) throws {
    try session.store.lookBeforeObserving()
    announced = max(announced, session.view.snapshot?.number ?? session.store.clock.now)
    try center.add(nil, to: mailbox)
    realmHandlers.append(handler)
  }

  /// Ends a handler, on any thread. Returns whether the handler was active.
  func end(_ handler: RealmHandler) -> Bool {
    guard handler.isActive.exchange(false, ordering: .acquiringAndReleasing) else { return false }
    center.remove(nil, from: mailbox)
    wakeUp.send()
    return true
  }

  // MARK: Turns

  override var isDelivering: Bool { isInTurn }

  /// Delivers the mail, if the session can deliver now.
  func takeTurn() {
    // The end of a transaction starts another turn.
    guard session.transaction == nil, !isInTurn else { return }
    guard session.refreshesByItself || showsWhatIsPending else {
      requireRefresh()
      return
    }
    deliver()
  }

  /// Whether the session's own commit already shows the mail's snapshot, so that delivering needs
  /// no move.
  private var showsWhatIsPending: Bool {
    mailbox.number.map { $0 <= session.newestShown } ?? false
  }

  private func requireRefresh() {
    guard let number = mailbox.number, number > max(announced, required) else { return }
    required = number
    inTurn { callHandlers(.refreshRequired) }
  }

  @discardableResult
  private func deliver() -> Bool {
    guard let mail = mailbox.take(notBefore: session.newestShown) else {
      stopHoldingIfUnobserved()
      return false
    }
    inTurn {
      let registrars = (session.reads as? ReadRegistrars)?.willMove(with: mail) ?? []
      unheard = mail.news[...]
      session.move(to: mail.snapshot)
      registrars.didChange()
      if mail.snapshot.number > announced {
        announced = mail.snapshot.number
        callHandlers(.didChange)
      }
      deliverUnheard()
    }
    stopHoldingIfUnobserved()
    return true
  }

  private func deliverUnheard() {
    while let news = unheard.popFirst() {
      news.observation.deliver(news.change, since: news.since, session)
    }
    // An empty slice still retains its elements: the observations, and through them the session.
    let told = unheard
    unheard = []
    withExtendedLifetime(told) {}
  }

  private func inTurn(_ body: () -> Void) {
    isInTurn = true
    body()
    isInTurn = false
    if !mailbox.isEmpty { wakeUp.send() }
  }

  private func callHandlers(_ event: RealmEvent, except silenced: Set<ObjectIdentifier> = []) {
    // Otherwise a handler that writes on each change would never end.
    guard !isCallingHandlers else { return }
    isCallingHandlers = true
    defer { isCallingHandlers = false }
    // Ended handlers are released last: their `deinit` may run code of the program that adds
    // handlers.
    let all = realmHandlers
    realmHandlers = all.filter { $0.isActive.load(ordering: .acquiring) }
    for handler in all where handler.isActive.load(ordering: .acquiring) {
      if !silenced.contains(ObjectIdentifier(handler)) { handler.call(event) }
    }
  }

  /// Silences an observation or a handler for this transaction. Returns false if it doesn't belong
  /// to this session.
  func silence(_ observation: ObjectIdentifier?) -> Bool {
    guard let observation, let transaction = session.transaction else { return false }
    if let handler = realmHandlers.first(where: { ObjectIdentifier($0) == observation }) {
      guard handler.isActive.load(ordering: .acquiring) else { return false }
      silencedHandlers.insert(observation)
      return true
    }
    guard let silenced = known.withLock({ $0[observation] }) else { return false }
    let isNew = transaction.details.silenced.insert(observation).inserted
    if isNew, transaction.error == nil, let states = silenced.silentStates.value {
      silencedStates.append((silenced, states.read(session)))
    }
    return true
  }

  /// Stops holding the snapshot: in a place that can't be woken, nothing would move the session.
  private func stopHoldingIfUnobserved() {
    guard session.refreshesByItself, session.transaction == nil else { return }
    if !session.place.canBeWoken || !mailbox.isUsed { session.stopHolding() }
  }

  // MARK: What the session does

  override func willBeginWrite() {
    // A handler is writing. The positions for the remaining handlers are valid now, but not
    // afterwards.
    guard !isInTurn else { return deliverUnheard() }
    for _ in 0..<Self.maxRounds {
      center.finishPending()
      guard deliver() else { return }
    }
  }

  /// Schedules a closure for the end of the session's transaction.
  func afterTransaction(_ body: @escaping () -> Void) { afterEnd.append(body) }

  private func transactionEnded() {
    silencedHandlers = []
    // Released last, like ended handlers.
    let states = silencedStates
    silencedStates = []
    defer { withExtendedLifetime(states) {} }
    let bodies = afterEnd
    afterEnd = []
    for body in bodies { body() }
    if !mailbox.isEmpty { wakeUp.send() }
  }

  override func didCommit(_ number: UInt64) {
    announced = max(announced, number)
    for (observation, resume) in silencedStates {
      let delivered = observation.state.withLock { $0.delivered?.number }
      observation.silentStates.value?.add(resume, at: number, delivered: delivered)
    }
    // Not a turn of its own inside of another turn: a handler's own writes are delivered in the
    // next turn.
    callHandlers(.didChange, except: silencedHandlers)
    transactionEnded()
  }

  override func didCancel() { transactionEnded() }

  override func deliverPending() -> Bool {
    guard !isInTurn else { return false }
    center.finishPending()
    return deliver()
  }

  override func willLetGo() { if isInTurn { deliverUnheard() } }

  override func didSetAutorefresh() { wakeUp.send() }

  /// Logs, once, that a place which can't be woken must refresh to get changes.
  func adviseIfPlaceSleeps() {
    guard !session.place.canBeWoken, !hasAdvised else { return }
    hasAdvised = true
    session.store.logger?.notice(
      """
      Something is observed in \(session.place), which can't be woken: changes are delivered by \
      'refresh()', and when the realm begins to write. Observe 'on:' a queue or an actor, or with \
      'changes()'.
      """)
  }
}

extension Session {
  var notifier: SessionNotifier? { currentObserver as? SessionNotifier }
}

extension SessionReference {
  /// Delivers the mail to the session's observers, if the session still exists.
  func takeTurn() {
    // A handler may release the last reference to the session.
    withExtendedLifetime(object) { $0?.notifier?.takeTurn() }
  }
}

/// A piece of work that a place runs when it is free, once for all requests up to then.
///
/// A place may be busy for hours: the waiting work doesn't grow with the number of requests.
final class WakeUp: Sendable {
  private let place: Place
  private let body: @Sendable () -> Void
  private let isOnItsWay = Atomic<Bool>(false)

  init(_ place: Place, _ body: @escaping @Sendable () -> Void) {
    self.place = place
    self.body = body
  }

  /// Requests the work, on any thread. Does nothing if the place has ended or can't be woken.
  func send() {
    guard !isOnItsWay.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let isSent = place.run { [self] in
      // Reset first: the body may miss a request that comes while the body runs.
      _ = isOnItsWay.exchange(false, ordering: .acquiringAndReleasing)
      body()
    }
    if !isSent { isOnItsWay.store(false, ordering: .releasing) }
  }
}

extension SessionNotifier {
  /// Begins an observation that the session delivers. Inside of a transaction, the observation
  /// begins after the end of the transaction.
  ///
  /// - Returns: A closure that ends the observation, on any thread, and returns whether the
  ///   observation was active.
  func start(_ observation: Observation) throws(RealmError) -> @Sendable () -> Bool {
    let holder = PlaceBound(session)
    if let writing = session.store.writer.queue.session(at: .current) {
      // The source is seen inside of the transaction, so the observation begins with the end of the
      // transaction.
      _ = observation.takeSeen()
      SessionNotifier.of(writing).afterTransaction {
        do {
          try observation.register { try holder.value.notifier?.add(observation) }
        } catch {
          let error = RealmError(error, at: holder.value.store.file.url)
          observation.deliver(.failed(error), holder.value)
        }
      }
    } else {
      try translatingErrors(at: session.store.file.url) {
        try observation.register { try add(observation) }
      }
    }
    return {
      let wasActive = observation.end()
      if observation.unregister() {
        withExtendedLifetime(holder.value) { $0.notifier?.remove(observation) }
      }
      return wasActive
    }
  }
}
