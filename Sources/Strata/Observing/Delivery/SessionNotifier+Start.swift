import StrataStorage

extension SessionNotifier {
  /// Begins an observation, which the session delivers; inside of a transaction after its end.
  ///
  /// - Returns: What ends it, on any thread; it says whether the observation was active.
  /// - Throws: ``RealmError`` when the file can't be read.
  func start(_ observation: Observation) throws(RealmError) -> @Sendable () -> Bool {
    let holder = PlaceBound(session)
    if let writing = session.store.writeQueue.session(at: .current) {
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
