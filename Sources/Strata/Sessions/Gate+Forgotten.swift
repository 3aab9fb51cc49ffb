import Logging
import StrataStorage
import Synchronization

/// Transactions that were begun by hand and forgotten.
///
/// A closure of `write` ends its transaction, but the caller of `beginWrite` may have ended, or be
/// waiting for the caller that waits here.
extension Gate {
  /// Rolls back the transaction that has begun if others wait for it, and nothing happens in it.
  func takeFromAbandoned(_ limits: Limits) {
    let now = ContinuousClock.now
    takeAway(because: ErrorText.abandoned) { holder, waiting in
      guard let transaction = holder.transaction, let session = holder.session,
        waiting.contains(where: { $0.isHeldUp(by: session) })
      else { return false }
      let stamp = transaction.clock.now
      guard let last = holder.lastChange, last.stamp == stamp else {
        holder.lastChange = (stamp, now)
        return false
      }
      return now - last.time >= (session.isHeld ? limits.kept : limits.lost)
    }
  }

  /// Rolls back the transaction that has begun if nobody can come back to it, because its queue or
  /// actor is gone: other processes may wait for it.
  func takeFromEnded() {
    takeAway(because: ErrorText.endedPlace) { holder, _ in holder.session?.place.hasEnded == true }
  }

  private func takeAway(
    because reason: String, where isMeant: (inout Holder, [Waiter]) -> Bool
  ) {
    let found = state.withLock { state -> Holder? in
      guard case .holder(var holder) = state.user, holder.transaction != nil else { return nil }
      let isMeant = isMeant(&holder, state.waiting)
      state.user = .holder(holder)
      return isMeant ? holder : nil
    }
    guard let found, let place = found.place, found.transaction?.revoke() == true else { return }
    found.session?.rollBackAbandoned(from: place, reason)
  }
}

extension Gate.Waiter {
  /// Whether the transaction of a session holds another caller up. The closures that wait to write
  /// with the same session, at its place, wait for its end as they should.
  fileprivate func isHeldUp(by session: Session) -> Bool {
    switch self {
    case .thread: true
    case .turn(let turn): turn.session !== session || turn.task != 0
    }
  }
}

extension Session {
  /// Called by another thread: uses only state that all threads share.
  fileprivate func rollBackAbandoned(from place: Place, _ reason: String) {
    store.logger?.warning(
      "\(reason) It was begun in \(place).", metadata: ["path": "\(store.file.path)"])
    do {
      try store.rollback()
    } catch {
      store.logger?.error("Rolling back an abandoned transaction failed: \(error.loggedMessage)")
    }
  }
}
