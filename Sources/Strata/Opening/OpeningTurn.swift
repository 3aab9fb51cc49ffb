import CStrataRuntime
import Foundation
import StrataStorage
import Synchronization

/// The exclusive right of a thread to open or remove a file.
///
/// A migration block may open another file and wait for that file's turn. Deadlocks are prevented:
/// the last thread of a cycle gets an error.
final class OpeningTurn: Sendable {
  /// Locked during an opening, which may include a migration of minutes.
  private let lock = NSLock()
  /// The number of the thread that has the turn; 0 for none.
  private let holder = Atomic<UInt64>(0)

  /// The turns for which threads wait, by thread number.
  private static let wanted = Mutex<[UInt64: OpeningTurn]>([:])

  /// Whether a thread has the turn. May be called at any time.
  var isTaken: Bool { holder.load(ordering: .acquiring) != 0 }

  /// Runs a closure with the turn, after waiting for it.
  ///
  /// - Throws: ``RealmError`` with code `alreadyOpen` in case of a deadlock, or `CancellationError`
  ///   while waiting.
  func taken<Result>(
    _ name: String, _ cancellation: Cancellation?, _ body: () throws -> Result
  ) throws -> Result {
    let thread = strata_current_thread()
    if !lock.try() { try wait(thread, name, cancellation) }
    holder.store(thread, ordering: .releasing)
    defer {
      holder.store(0, ordering: .releasing)
      lock.unlock()
    }
    return try body()
  }

  private func wait(_ thread: UInt64, _ name: String, _ cancellation: Cancellation?) throws {
    try Self.wanted.withLock { wanted throws(RealmError) in
      try checkHolder(thread, name, wanted)
      wanted[thread] = self
    }
    defer { Self.wanted.withLock { wanted in wanted[thread] = nil } }
    guard let cancellation else { return lock.lock() }
    while !lock.lock(before: Date(timeIntervalSinceNow: Self.secondsBetweenLooks)) {
      try cancellation.check()
    }
  }

  private static let secondsBetweenLooks = 0.05

  /// Checks for a deadlock.
  ///
  /// - Throws: ``RealmError`` if this thread has the turn, or if the thread that has it waits for
  ///   this one.
  private func checkHolder(
    _ thread: UInt64, _ name: String, _ wanted: [UInt64: OpeningTurn]
  ) throws(RealmError) {
    var next: OpeningTurn? = self
    while let turn = next {
      let holder = turn.holder.load(ordering: .acquiring)
      if holder == thread {
        throw turn === self ? Self.openedHere(name) : Self.openedInCircle(name)
      }
      next = wanted[holder]
    }
  }

  static func openedHere(_ name: String) -> RealmError {
    RealmError(
      .alreadyOpen,
      "Realm at path '\(name)' is being opened, and can't be opened again meanwhile. In a "
        + "migration block, use the objects that 'enumerateObjects' gives; in the initializer and "
        + "the static members of a class, use no realm.")
  }

  private static func openedInCircle(_ name: String) -> RealmError {
    RealmError(
      .alreadyOpen,
      "Realm at path '\(name)' is being opened by a thread that waits for this one: the migration "
        + "blocks of two files each open the other file. Open one of the files first, outside of "
        + "the block.")
  }
}
