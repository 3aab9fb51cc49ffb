import Foundation
import Logging
import Synchronization

/// The right to write to a file: one transaction of the process has it at a time.
///
/// It keeps the session of the transaction, so that a realm which begins to write and isn't kept is
/// the same when it is opened again. Who could wait for ever gets an error instead, and a
/// transaction that nobody ends is rolled back.
final class Gate: Sendable {
  /// Not `Sendable`, but nothing of it is used by who only looks.
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
    /// While somebody has its realm.
    var kept = Duration.seconds(30)
    /// When nobody has its realm any more.
    var lost = Duration.seconds(1)
  }

  /// Waits for the transaction that has begun, if there is one.
  ///
  /// - Parameter session: Who is going to write; nil for one who does something in between.
  /// - Throws: ``RealmError`` with code `fail` for the one who would wait for itself.
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

  /// Enters if nobody is in; `leave` must follow.
  func enterAtOnce() -> Bool { semaphore.wait(timeout: .now()) == .success }

  /// Says what the one who has entered is doing, which others may end when it takes too long.
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

  /// The session that writes at a place.
  func session(at place: Place) -> Session? {
    let found = holder.withLock { holder in
      holder?.place == place ? holder : nil
    }
    return found?.session
  }

  /// Rolls back the transaction that has begun if it has been forgotten: a closure of `write` ends
  /// it, but whoever called `beginWrite` may be gone, or be waiting for the one who waits here.
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
  /// Called by another thread: uses nothing but what is the same for all of them.
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
