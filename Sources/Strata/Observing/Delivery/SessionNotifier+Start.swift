import StrataStorage

extension SessionNotifier {
  /// Begins an observation, which the session delivers; inside of a transaction after its end.
  ///
  /// - Returns: What ends it, on any thread; it says whether the observation was active.
  /// - Throws: ``RealmError`` when the file can't be read.
  func start(_ observation: Observation) throws(RealmError) -> @Sendable () -> Bool {
    let holder = StrongSession(session)
    if let writing = session.store.writeQueue.session(at: .current) {
      SessionNotifier.of(writing).afterTransaction {
        do {
          try observation.register { try holder.session.notifier?.add(observation) }
        } catch {
          let error = RealmError(error, at: holder.session.store.file.url)
          observation.deliver(.failed(error), holder.session)
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
        withExtendedLifetime(holder.session) { $0.notifier?.remove(observation) }
      }
      return wasActive
    }
  }
}

/// A session that a closure keeps, to be used at its place.
final class StrongSession: @unchecked Sendable {
  let session: Session

  init(_ session: Session) {
    self.session = session
  }
}
