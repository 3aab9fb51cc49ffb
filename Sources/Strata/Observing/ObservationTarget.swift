import Dispatch
import IssueReporting
import StrataStorage

/// The isolation on which the handler of an observation is called.
enum ObservationTarget {
  /// The isolation of the collection's own realm.
  case own
  case queue(DispatchQueue)
  case actor(any Actor)

  init(_ queue: DispatchQueue?) {
    self = queue.map { .queue($0) } ?? .own
  }

  /// Returns the session that delivers the changes.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a queue that runs several blocks at once, or
  ///   when the caller uses a realm of another isolation.
  func session(for session: Session) throws(RealmError) -> Session {
    switch self {
    case .own:
      try session.checkPlace()
      return session
    case .queue(let queue):
      guard let place = Place.remember(queue) else {
        throw RealmError(
          .fail,
          "Nothing can be observed on queue '\(queue.label)', which runs several blocks at once. "
            + "Use a serial queue.", fileURL: session.store.file.url)
      }
      return session.store.sessions.session(at: place, nil, in: session.store)
    case .actor(let actor):
      let place = Place.isolated(to: actor)
      return session.store.sessions.session(at: place, actor, in: session.store)
    }
  }
}

extension ChangeSequence {
  /// Calls a closure with each element, or reports the reason why that is impossible.
  func observe(
    on target: ObservationTarget, _ block: @escaping (Element) -> Void
  ) -> NotificationToken {
    do throws(RealmError) {
      let start = try self.start()
      try start.session.checkObservable()
      let session = try target.session(for: start.session)
      let notifier = SessionNotifier.of(session)
      // Without a source: a realm, whose own `observe` is called with each snapshot.
      guard let source = try start.source() else { return NotificationToken() }
      let translate = start.translate
      let observation = Observation(
        source, hasInitial: start.hasInitial, seen: start.session.view.snapshot,
        keeping: session.place.queue, comparingWith: start.states
      ) { change, session in
        if let element = translate(change, session) { block(element) }
      }
      let end = try notifier.start(observation)
      notifier.adviseIfPlaceSleeps()
      return NotificationToken(of: ObjectIdentifier(observation), end)
    } catch {
      reportIssue("\(error.message)")
      return NotificationToken()
    }
  }

  /// Calls a closure on an actor with each element, unless the task is already canceled.
  func observe<A: Actor>(
    on actor: A, _ block: @Sendable @escaping (isolated A, Element) -> Void
  ) -> NotificationToken {
    guard !Task.isCancelled else { return NotificationToken() }
    let call = ActorCall(actor, block)
    return observe(on: ObservationTarget.actor(actor)) { call($0) }
  }
}

extension Session {
  /// Checks that this session can be observed.
  func checkObservable() throws(RealmError) {
    if view.isFrozen { throw RealmError(.fail, ErrorText.frozenNotifications) }
    if store.settings.isReadOnly, store.replica == nil {
      throw RealmError(.fail, ErrorText.readOnlyNotifications)
    }
  }
}
