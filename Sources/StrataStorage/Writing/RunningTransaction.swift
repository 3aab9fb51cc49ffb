import Synchronization

/// The part of a write transaction that other threads may see: its clock, and who ends it.
package final class RunningTransaction: Sendable {
  /// Advances with each change.
  package let clock: StampClock
  private let state = Atomic<State>(.going)

  private enum State: UInt8, AtomicRepresentable {
    case going, ending, revoked
  }

  package init(_ clock: StampClock) {
    self.clock = clock
  }

  /// Begins the end, by its caller; false if it was taken away.
  package func end() -> Bool { state.moves(from: .going, to: .ending) }

  /// Takes it away from its caller; false if that is ending it.
  package func revoke() -> Bool { state.moves(from: .going, to: .revoked) }

  /// Whether it was taken away.
  package var isRevoked: Bool { state.load(ordering: .acquiring) == .revoked }
}

extension Atomic {
  /// Exchanges one value for another; false when it is a third one.
  fileprivate func moves(from old: Value, to new: Value) -> Bool
  where Value.AtomicRepresentation == UInt8.AtomicRepresentation {
    compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
