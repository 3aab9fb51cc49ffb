import IssueReporting
import Logging
import StrataStorage
import Synchronization

/// The observations of a session: delivers what changed, and moves the session while it does.
///
/// Used at the session's place, but for ``add(_:)`` and what it says otherwise.
final class SessionNotifier: SessionObserver, @unchecked Sendable {
  // guarded by: the place of the session, as all that is variable.
  unowned let session: Session
  let center: ObservationCenter
  let group: ObservationGroup
  private let wakeUp: WakeUp
  private let known = Mutex<[ObjectIdentifier: Observation]>([:])
  private var realmHandlers: [RealmHandler] = []
  private var isInTurn = false
  private var isCallingHandlers = false
  /// The news of the snapshot that the session shows of which handlers are still to hear in a turn.
  private var unheard: ArraySlice<Mail.News> = []
  /// The snapshot that the handlers of the realm have heard of last.
  private var announced: UInt64 = 0
  /// The snapshot of which they have heard last that a refresh would show it.
  private var required: UInt64 = 0
  private var hasAdvised = false
  /// The handlers of the realm that are not to hear of the transaction.
  private var silencedHandlers: Set<ObjectIdentifier> = []
  /// The observations that are not to hear of the transaction and compare, with what it leaves.
  private var silencedStates: [(observation: Observation, resume: () -> Void)] = []
  private var afterEnd: [() -> Void] = []

  /// An event of a realm.
  enum RealmEvent {
    case didChange
    case refreshRequired
  }

  /// Hears of each snapshot.
  final class RealmHandler {
    let call: (RealmEvent) -> Void
    let isActive = Atomic<Bool>(true)

    init(_ call: @escaping (RealmEvent) -> Void) {
      self.call = call
    }
  }

  /// Where more than so many snapshots come up while a transaction waits to begin, it begins.
  private static let mostRounds = 3

  private init(_ session: Session) {
    self.session = session
    center = session.store.observationCenter
    // The session keeps its observer, and each observation the session.
    let reference = WeakReference(session)
    let wakeUp = WakeUp(session.place) { reference.takeTurn() }
    self.wakeUp = wakeUp
    group = ObservationGroup(Mailbox { wakeUp.send() }, followsSnapshots: true)
  }

  /// The observers of a session, also of one at another place.
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
    try center.add(observation, to: group)
    known.withLock { $0[ObjectIdentifier(observation)] = observation }
  }

  func remove(_ observation: Observation) {
    known.withLock { $0[ObjectIdentifier(observation)] = nil }
    center.remove(observation, from: group)
    wakeUp.send()
  }

  // MARK: Handlers of the realm

  func add(_ handler: RealmHandler) throws {
    try session.store.lookBeforeObserving()
    announced = max(announced, session.view.snapshot?.number ?? session.store.clock.now)
    try center.add(nil, to: group)
    realmHandlers.append(handler)
  }

  /// Ends a handler, on any thread; says whether it was active.
  func end(_ handler: RealmHandler) -> Bool {
    guard handler.isActive.exchange(false, ordering: .acquiringAndReleasing) else { return false }
    center.remove(nil, from: group)
    wakeUp.send()
    return true
  }

  // MARK: Turns

  override var isDelivering: Bool { isInTurn }

  /// Delivers what is in the mail, if it is the time for it.
  func takeTurn() {
    // A transaction ends with another turn.
    guard session.transaction == nil, !isInTurn else { return }
    guard session.refreshesByItself || showsWhatIsPending else {
      requireRefresh()
      return
    }
    deliver()
  }

  /// Whether the session is where the mail leads, by its own commit: it needn't move to deliver.
  private var showsWhatIsPending: Bool {
    group.mailbox.number.map { $0 <= session.newestShown } ?? false
  }

  private func requireRefresh() {
    guard let number = group.mailbox.number, number > max(announced, required) else { return }
    required = number
    inTurn { callHandlers(.refreshRequired) }
  }

  @discardableResult
  private func deliver() -> Bool {
    guard let mail = group.mailbox.take(notBefore: session.newestShown) else {
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
    // A slice keeps what was taken from it: the observations, and with them the session.
    let told = unheard
    unheard = []
    withExtendedLifetime(told) {}
  }

  private func inTurn(_ body: () -> Void) {
    isInTurn = true
    body()
    isInTurn = false
    if !group.mailbox.isEmpty { wakeUp.send() }
  }

  private func callHandlers(_ event: RealmEvent, except silenced: Set<ObjectIdentifier> = []) {
    // One that writes whenever the realm has changed would go on for ever.
    guard !isCallingHandlers else { return }
    isCallingHandlers = true
    defer { isCallingHandlers = false }
    // Ended handlers are released at the end: they have code of the program, which may add others.
    let all = realmHandlers
    realmHandlers = all.filter { $0.isActive.load(ordering: .acquiring) }
    for handler in all where handler.isActive.load(ordering: .acquiring) {
      if !silenced.contains(ObjectIdentifier(handler)) { handler.call(event) }
    }
  }

  /// Has an observation, or a handler, of this session not hear of the transaction; false if it is
  /// none.
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

  /// At a place that can't be woken a session would become stale, with nothing to move it.
  private func stopHoldingIfUnobserved() {
    guard session.refreshesByItself, session.transaction == nil else { return }
    if !session.place.canBeWoken || !group.isUsed { session.stopHolding() }
  }

  // MARK: What the session does

  override func willBeginWrite() {
    // A handler writes: the positions that others are still to be told fit now, and not later.
    guard !isInTurn else { return deliverUnheard() }
    for _ in 0..<Self.mostRounds {
      center.finishPending()
      guard deliver() else { return }
    }
  }

  /// Has a closure called when the transaction of the session has ended.
  func afterTransaction(_ body: @escaping () -> Void) { afterEnd.append(body) }

  private func transactionEnded() {
    silencedHandlers = []
    // Released at the end, as ended handlers are.
    let states = silencedStates
    silencedStates = []
    defer { withExtendedLifetime(states) {} }
    let bodies = afterEnd
    afterEnd = []
    for body in bodies { body() }
    if !group.mailbox.isEmpty { wakeUp.send() }
  }

  override func didCommit(_ number: UInt64) {
    announced = max(announced, number)
    for (observation, resume) in silencedStates {
      let delivered = observation.state.withLock { $0.delivered?.number }
      observation.silentStates.value?.add(resume, at: number, delivered: delivered)
    }
    // Not a turn of its own within one: what a handler writes is heard of in the next.
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

  /// Says once that the place must ask for what it observes.
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

extension WeakReference<Session> {
  /// Delivers what the session's observers are to hear, if there is one still.
  func takeTurn() {
    // A handler may let go of what keeps the session.
    withExtendedLifetime(object) { $0?.notifier?.takeTurn() }
  }
}

/// Something that is done at a place when it has time, once for all the requests until then.
///
/// A place may be busy for hours: what waits for it doesn't grow with the number of requests.
final class WakeUp: Sendable {
  private let place: Place
  private let body: @Sendable () -> Void
  private let isOnItsWay = Atomic<Bool>(false)

  init(_ place: Place, _ body: @escaping @Sendable () -> Void) {
    self.place = place
    self.body = body
  }

  /// Asks for it, on any thread. A place that has ended, or can't be woken, does nothing.
  func send() {
    guard !isOnItsWay.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let isSent = place.run { [self] in
      // First: what is asked for from now on may not be seen any more by what is done here.
      _ = isOnItsWay.exchange(false, ordering: .acquiringAndReleasing)
      body()
    }
    if !isSent { isOnItsWay.store(false, ordering: .releasing) }
  }
}

extension SessionNotifier {
  /// Begins an observation, which the session delivers; inside of a transaction after its end.
  ///
  /// - Returns: What ends it, on any thread; it says whether the observation was active.
  /// - Throws: ``RealmError`` when the file can't be read.
  func start(_ observation: Observation) throws(RealmError) -> @Sendable () -> Bool {
    let holder = PlaceBound(session)
    if let writing = session.store.writer.queue.session(at: .current) {
      // What was observed shows the transaction, whose end is what it begins with.
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
