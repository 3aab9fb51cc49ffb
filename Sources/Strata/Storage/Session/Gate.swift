import Foundation
import Logging
import Synchronization

/// The right to write to a file: one transaction of the process has it at a time.
///
/// It keeps the session of the transaction, so that a realm which begins to write and isn't kept is
/// the same when it is opened again. A caller that could wait for ever gets an error instead, and a
/// transaction that is never ended is rolled back.
final class Gate: Sendable {
  /// Not `Sendable`, but other threads only compare it.
  private struct Holder: @unchecked Sendable {
    let place: Place
    let session: Session?
    var transaction: WriteTransaction?
    /// When the transaction was last seen to change something.
    var lastChange: (stamp: UInt64, time: ContinuousClock.Instant)?
  }

  private let semaphore = DispatchSemaphore(value: 1)
  private let holder = Mutex<Holder?>(nil)

  /// How long others wait for a transaction in which nothing happens.
  struct Limits: Sendable {
    /// While a caller has its realm.
    var kept = Duration.seconds(30)
    /// Since when its realm is released.
    var lost = Duration.seconds(1)
  }

  /// Waits for the transaction that has begun, if there is one.
  ///
  /// - Parameter session: The session that will write; nil for other uses of the connection.
  /// - Throws: ``RealmError`` with code `fail` for a caller that would wait for itself.
  func enter(for session: Session?, _ url: URL) throws(RealmError) {
    let place = Place.current
    if holder.withLock({ $0?.place }) == place {
      throw RealmError(.fail, ErrorText.nestedWrite("\(place)"), fileURL: url)
    }
    while semaphore.wait(timeout: .now() + .milliseconds(250)) == .timedOut {
      takeFromAbandoned(Limits())
    }
    let entered = Holder(place: place, session: session)
    holder.withLock { $0 = entered }
  }

  /// Enters if the gate is free; `leave` must follow.
  func enterAtOnce() -> Bool { semaphore.wait(timeout: .now()) == .success }

  /// Records the transaction that has entered, which others may end when it takes too long.
  func began(_ transaction: WriteTransaction) {
    let transaction = UncheckedTransaction(value: transaction)
    holder.withLock { $0?.transaction = transaction.value }
  }

  func leave() {
    let left = holder.withLock { holder in
      defer { holder = nil }
      return holder
    }
    semaphore.signal()
    withExtendedLifetime(left) {}
  }

  /// Ends the transaction, but lets the next one in only after `leave`, on any thread.
  func keepClosed() {
    let left = holder.withLock { holder in
      defer { holder = nil }
      return holder
    }
    withExtendedLifetime(left) {}
  }

  /// The session that writes at a place.
  func session(at place: Place) -> Session? {
    let found = holder.withLock { holder in
      holder?.place == place ? holder : nil
    }
    return found?.session
  }

  /// Rolls back the transaction that has begun if it has been forgotten: a closure of `write` ends
  /// it, but the caller of `beginWrite` may have ended, or be waiting for the caller that waits
  /// here.
  func takeFromAbandoned(_ limits: Limits) {
    let now = ContinuousClock.now
    let found = holder.withLock { holder -> Holder? in
      guard let transaction = holder?.transaction, let session = holder?.session else { return nil }
      let stamp = transaction.clock.now
      guard let last = holder?.lastChange, last.stamp == stamp else {
        holder?.lastChange = (stamp, now)
        return nil
      }
      let limit = session.isHeld ? limits.kept : limits.lost
      return now - last.time >= limit ? holder : nil
    }
    guard let found, let transaction = found.transaction, transaction.revoke() else { return }
    found.session?.rollBackAbandoned(from: found.place)
  }

  private struct UncheckedTransaction: @unchecked Sendable {
    let value: WriteTransaction
  }
}

extension Session {
  /// Called by another thread: uses only state that all threads share.
  fileprivate func rollBackAbandoned(from place: Place) {
    store.logger?.warning(
      "\(ErrorText.abandoned) It was begun in \(place).", metadata: ["path": "\(store.file.path)"])
    do {
      try store.rollback()
    } catch {
      store.logger?.error("Rolling back an abandoned transaction failed: \(error.loggedMessage)")
    }
  }
}
